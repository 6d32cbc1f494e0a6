import type { Order, OrderLine, ProductVariant, Surcharge, Type } from '@vendure/core'
import type { CalculateRequest } from 'tax-compliance'
import type { CheckoutOptions, Trouble, Unrecorded } from 'tax-compliance/shop'

type Customer = NonNullable<CalculateRequest['customer']>
type Address = NonNullable<CalculateRequest['ship_from']>
type ProductType = CalculateRequest['line_items'][number]['product_type']

export type TaxComplianceOptions = {
  /** Where the service is. */
  url: string
  apiKey: string
  /** What a variant is. Return the same for the same variant. */
  productType: (variant: ProductVariant, line: OrderLine) => ProductType | Promise<ProductType>
  /** What a surcharge is. An order with a surcharge fails without it. */
  surchargeType?: (surcharge: Surcharge) => ProductType
  /** Facts of the seller. Left out: the profile and registrations of the account. */
  seller?: CalculateRequest['seller']
  /** Facts of the customer, such as `vat_id` and `type`. */
  customer?: (order: Order) => Omit<Customer, 'address'> | Promise<Omit<Customer, 'address'>>
  /** Where the order goes. Left out: its shipping address, else its billing address. */
  address?: (order: Order) => Customer['address'] | Promise<Customer['address']>
  /** The id of the customer at the service (`cust_…`), whose certificates then count. */
  customerOf?: (order: Order) => string | null | undefined | Promise<string | null | undefined>
  /** Where goods that are sent leave from. Left out: the place of the seller. */
  shipFrom?: Address | ((order: Order) => Address | null | undefined | Promise<Address | null | undefined>)
  /** Whether the customer fetches the goods, and where: `true` is the place of the seller. */
  pickup?: (
    order: Order,
  ) => Address | boolean | null | undefined | Promise<Address | boolean | null | undefined>
  /** What happens while the service is away. */
  onFailure: CheckoutOptions['on_failure']
  /** More options of `createCheckout`, such as `time_limit_ms`. */
  checkout?: Partial<Omit<CheckoutOptions, 'tax' | 'on_failure' | 'onTrouble'>>
  /** Tells that the service was away. It is logged too. */
  onTrouble?: (trouble: Trouble) => unknown
  /** Tells a sale or refund that is not in the books. It is logged too. */
  onUnrecorded?: (unrecorded: Unrecorded) => unknown
  /** Tells a change of a placed order that the books do not have. It is logged too. */
  onChanged?: (change: PlacedOrderChange) => unknown
  /** How often the outbox is sent, in milliseconds: a minute if left out. */
  flushEveryMs?: number
}

/** A placed order that was changed without a refund. `price_change` includes tax, in units of Vendure. */
export type PlacedOrderChange =
  | { what: 'modified'; order_code: string; price_change: number }
  | { what: 'lines_cancelled'; order_code: string; price_change: null }

export declare class TaxCompliancePlugin {
  static init(options: TaxComplianceOptions): Type<TaxCompliancePlugin>
}

/** For scripts of yours: `app.get(TaxComplianceService).flush()`. */
export declare class TaxComplianceService {
  /** Sends what is in the outbox. Returns how many entries were recorded. */
  flush(): Promise<number>
  /** Deletes answers of carts that did not change for 90 days. Returns how many it deleted. */
  prune(): Promise<number>
}
