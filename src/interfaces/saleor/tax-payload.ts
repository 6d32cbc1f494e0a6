import * as z from 'zod'
import { DecimalNumber } from '../taxjar/amounts.ts'

/** An amount in major units, kept exactly. */
export const SaleorMoney = z.object({ amount: DecimalNumber })

const Text = z.string().max(1_000).nullish()

export const SaleorAddress = z.object({
  streetAddress1: Text,
  streetAddress2: Text,
  city: Text,
  countryArea: Text,
  postalCode: Text,
  country: z.object({ code: z.string().max(10) }),
})
export type SaleorAddress = z.output<typeof SaleorAddress>

/** What a product is. Products and variants may be deleted, and then the order still has its line. */
export const SoldVariant = z
  .object({
    product: z
      .object({
        taxType: Text,
        taxClass: z.object({ name: Text, taxType: Text }).nullish(),
      })
      .nullish(),
  })
  .nullish()
export type SoldVariant = z.output<typeof SoldVariant>

export const LINES_MAX = 500

/** Who buys, and how. Shops that were registered before these were asked for do not send them. */
export const PARTIES = {
  user: z.object({ customerId: z.string().max(60).nullish() }).nullish(),
  deliveryMethod: z.object({ __typename: z.string().max(60), address: SaleorAddress.nullish() }).nullish(),
}
const Parties = z.object(PARTIES)
export type SaleorParties = z.output<typeof Parties>

const TaxLine = z.object({
  quantity: z.int().min(1),
  totalPrice: SaleorMoney,
  sourceLine: z.object({ id: z.string().max(255), variant: SoldVariant }),
})

/** The payload of our subscription. Fields that are not asked for are left alone. */
export const TaxesEvent = z.object({
  __typename: z.literal('CalculateTaxes'),
  taxBase: z.object({
    pricesEnteredWithTax: z.boolean(),
    currency: z.string().length(3),
    discounts: z.array(z.object({ amount: SaleorMoney, type: z.enum(['SUBTOTAL', 'SHIPPING']) })).max(100),
    address: SaleorAddress.nullable(),
    shippingPrice: SaleorMoney,
    lines: z.array(TaxLine).max(LINES_MAX, `must contain at most ${LINES_MAX} lines`),
    sourceObject: z.object({ id: z.string().max(255), vatId: z.string().max(40).nullish(), ...PARTIES }),
  }),
})
export type TaxesEvent = z.output<typeof TaxesEvent>

/** Decimals as texts, so that no reader makes binary fractions of them. Rates in percent. */
export const TaxesAnswer = z.strictObject({
  shipping_tax_rate: z.string(),
  shipping_price_net_amount: z.string(),
  shipping_price_gross_amount: z.string(),
  lines: z.array(
    z.strictObject({
      tax_rate: z.string(),
      total_net_amount: z.string(),
      total_gross_amount: z.string(),
    }),
  ),
})
export type TaxesAnswer = z.output<typeof TaxesAnswer>
