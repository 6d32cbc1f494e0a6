/** The columns of a layout: those that a file must have, with blanks between, and those of a whole sale. */
export type Columns = { required: string; id: string; date: string; to: PlaceColumns; from?: PlaceColumns }
type PlaceColumns = readonly [
  country: string,
  region: string,
  postal_code: string,
  city?: string,
  line1?: string,
]

/** The columns of each service, in lower case. Others may be left out. */
export const COLUMNS = {
  /** Our own template. */
  template: {
    required: 'id date currency country product_type amount tax_amount',
    id: 'id',
    date: 'date',
    to: ['country', 'region', 'postal_code', 'city'],
    from: ['ship_from_country', 'ship_from_region', 'ship_from_postal_code', 'ship_from_city'],
  },
  /** The report `tax.transactions.itemized.2` (docs.stripe.com/reports/report-types/tax). */
  stripe: {
    required: `id line_item_id type currency transaction_date tax_code subtotal tax_amount
      destination_resolved_address_country`,
    id: 'id',
    date: 'transaction_date',
    to: [
      'destination_resolved_address_country',
      'destination_resolved_address_state',
      'destination_resolved_address_postal_code',
      'destination_resolved_address_city',
    ],
  },
  /** The layout for the import of transactions (developer.avalara.com/avatax/batch-file-reference). */
  avalara: {
    required: 'processcode doccode doctype docdate taxcode amount destcountry totaltax',
    id: 'doccode',
    date: 'docdate',
    to: ['destcountry', 'destregion', 'destpostalcode', 'destcity', 'destaddress'],
    from: ['origcountry', 'origregion', 'origpostalcode', 'origcity', 'origaddress'],
  },
  /** The line item template (support.taxjar.com/article/928). */
  taxjar: {
    required: `transaction_id transaction_date to_country to_state to_zip item_quantity item_unit_price
      item_sales_tax`,
    id: 'transaction_id',
    date: 'transaction_date',
    to: ['to_country', 'to_state', 'to_zip', 'to_city', 'to_street'],
    from: ['from_country', 'from_state', 'from_zip', 'from_city', 'from_street'],
  },
  /** The orders template (support.taxjar.com/article/937). */
  taxjar_orders: {
    required: 'order_id completed_at shiptostate shiptocountrycode total_sale sales_tax',
    id: 'order_id',
    date: 'completed_at',
    to: ['shiptocountrycode', 'shiptostate', 'shiptozip', 'shiptocity'],
    from: ['from_country', 'from_state', 'from_zip', 'from_city', 'from_street'],
  },
} as const satisfies Record<string, Columns>
