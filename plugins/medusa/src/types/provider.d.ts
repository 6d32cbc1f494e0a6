import type { CheckoutOptions } from 'tax-compliance/shop'
import type { CalculateRequest } from 'tax-compliance'

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
  onFailure: CheckoutOptions['on_failure']
  onTrouble?: (trouble: Trouble) => unknown
} & Partial<Omit<CheckoutOptions, 'tax' | 'on_failure' | 'onTrouble'>>

declare const provider: { services: unknown[] }
export default provider
