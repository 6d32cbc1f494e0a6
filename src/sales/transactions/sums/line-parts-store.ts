/**
 * The month of the sale. A credit note that names its sale belongs to the month of that sale. `sale` is the
 * row of the transaction.
 */
export const SOLD_IN = 'substr(coalesce(sale.credited_day, sale.day), 1, 7)'

/**
 * The parts of sold lines: one for each line, or for each rate of a line with several. Columns: those of
 * transactions as `sale`, of transaction_lines as `line`, and the part as `part`, null for a whole line.
 * Sales of other sellers have no parts here and in REFUNDED_PARTS, so no sum or return counts them.
 */
export const SOLD_PARTS = `transactions sale
  JOIN transaction_lines line ON line.account_id = sale.account_id AND line.transaction_id = sale.id
    AND sale.of_other_seller = 0
  LEFT JOIN json_each(line.portions) part`

const partOrLine = (name: string) => `coalesce(part.value ->> '${name}', line.${name})`
const onceOfLine = (name: string) => `iif(coalesce(part.key, 0) = 0, ${name}, 0)`

/** The columns of a part in tax_totals, by name, in terms of SOLD_PARTS. */
export const SOLD_PART = {
  place_of_supply: 'line.place_of_supply',
  scheme: 'line.scheme',
  currency: 'sale.currency',
  product_type: 'line.product_type',
  tax_rate: partOrLine('tax_rate'),
  reason: "coalesce(part.value ->> 'reason', line.taxability_reason, '')",
  exemption: 'line.exemption',
  transactions: 'line.position = 0 AND coalesce(part.key, 0) = 0',
  product_transactions: onceOfLine('line.opens_product'),
  net_amount: partOrLine('net_amount'),
  taxable_amount: partOrLine('taxable_amount'),
  uncollected_amount: onceOfLine('line.uncollected_amount'),
  tax_amount: partOrLine('tax_amount'),
  provincial_tax_amount: `coalesce(part.value ->> 'provincial_tax_amount',
    ${onceOfLine('line.provincial_tax_amount')})`,
} as const

/** The parts of refunds: rows of refunds as `refund`, of transactions as `sale`, and the part as `part`. */
export const REFUNDED_PARTS = `refunds refund
  JOIN transactions sale ON sale.account_id = refund.account_id AND sale.id = refund.transaction_id
    AND sale.of_other_seller = 0,
  json_each(refund.parts) part`

const ofPart = (name: string) => `part.value ->> '${name}'`

/** The columns of a refunded part in tax_totals, by name, in terms of REFUNDED_PARTS. */
export const REFUNDED_PART = {
  place_of_supply: ofPart('place_of_supply'),
  scheme: ofPart('scheme'),
  currency: 'sale.currency',
  product_type: ofPart('product_type'),
  tax_rate: ofPart('tax_rate'),
  reason: ofPart('reason'),
  exemption: `coalesce(${ofPart('exemption')}, '')`,
  refunds: 'part.key = 0',
  product_refunds: ofPart('opens_product'),
  refunded_net_amount: ofPart('net_amount'),
  refunded_taxable_amount: ofPart('taxable_amount'),
  refunded_tax_amount: ofPart('tax_amount'),
  refunded_provincial_tax_amount: ofPart('provincial_tax_amount'),
} as const
