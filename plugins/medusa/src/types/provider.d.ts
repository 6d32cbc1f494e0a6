import type { CheckoutOptions } from 'tax-compliance/shop'
import type { CalculateRequest } from 'tax-compliance'

type Address = NonNullable<CalculateRequest['ship_from']>

/** What the merchant is told: each is in the log too. */
export type Trouble = { outcome: string; error?: unknown; [fact: string]: unknown }

/** The options of the provider. What is not named here goes to `createCheckout` of the client. */
export type TaxComplianceOptions = {
  url: string
  apiKey: string
  /** A product type of the service, or a function of an item of a cart or an order. */
  productType?: string | ((item: Record<string, unknown>) => string)
  /** Left out: the profile and the registrations of the account. */
  seller?: CalculateRequest['seller']
  /** The VAT id of the customer of a cart or an order. */
  vatId?: (cart: Record<string, unknown>) => string | null | undefined
  /** The id of the customer at the service (`cust_…`), whose certificates then count. */
  customerOf?: (
    cart: Record<string, unknown>,
  ) => string | null | undefined | Promise<string | null | undefined>
  /**
   * Where goods that are sent leave from. `location` is the address of the stock location of the shipping
   * option; null: it has none. Left out: the place of the seller. Goods that are fetched leave from `location`.
   */
  shipFrom?:
    | Address
    | ((cart: Record<string, unknown>, location: Address | null) => Address | null | undefined)
  onFailure: CheckoutOptions['on_failure']
  onTrouble?: (trouble: Trouble) => unknown
} & Partial<Omit<CheckoutOptions, 'tax' | 'on_failure' | 'onTrouble'>>

declare const provider: { services: unknown[] }
export default provider
