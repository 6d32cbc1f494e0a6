import * as z from 'zod'
import { LINES_MAX, PARTIES, SaleorAddress, SaleorMoney, SoldVariant } from './tax-payload.ts'

const TaxedMoney = z.object({ net: SaleorMoney, gross: SaleorMoney })

const GRANTS_MAX = 500

const OrderLine = z.object({
  id: z.string().max(255),
  productName: z.string(),
  productSku: z.string().max(255).nullish(),
  quantity: z.int().min(1),
  totalPrice: TaxedMoney,
  variant: SoldVariant,
})

const LinesGivenBack = z
  .array(z.object({ quantity: z.int().min(0), orderLine: z.object({ id: z.string().max(255) }).nullish() }))
  .max(LINES_MAX)
  .nullish()

/** Shops that were registered before these were asked for do not send them. */
const GIVEN_BACK = {
  grantedRefunds: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        status: z.string().max(60),
        amount: SaleorMoney,
        shippingCostsIncluded: z.boolean(),
        lines: LinesGivenBack,
      }),
    )
    .max(GRANTS_MAX)
    .nullish(),
  fulfillments: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        status: z.string().max(60),
        totalRefundedAmount: SaleorMoney.nullish(),
        shippingRefundedAmount: SaleorMoney.nullish(),
        lines: LinesGivenBack,
      }),
    )
    .max(GRANTS_MAX)
    .nullish(),
}

/** An order, with the fields of our subscription. */
export const SaleorOrder = z.object({
  id: z.string().min(1).max(200),
  number: z.string().max(100),
  created: z.string().max(60),
  status: z.string().max(60),
  vatId: z.string().max(40).nullish(),
  ...PARTIES,
  billingAddress: SaleorAddress.nullish(),
  shippingAddress: SaleorAddress.nullish(),
  shippingPrice: TaxedMoney,
  total: z.object({ currency: z.string().length(3), gross: SaleorMoney }),
  totalRefunded: SaleorMoney,
  ...GIVEN_BACK,
  lines: z
    .array(OrderLine)
    .min(1, 'must contain at least one line')
    .max(LINES_MAX, `must contain at most ${LINES_MAX} lines`),
})
export type SaleorOrder = z.output<typeof SaleorOrder>

/** The type is part of the signed payload. The header with the event is not signed, so it is not read. */
export const OrderEvent = z.object({
  __typename: z.enum(['OrderConfirmed', 'OrderCancelled', 'OrderRefunded', 'OrderFullyRefunded']),
  order: SaleorOrder,
})
export type OrderEvent = z.output<typeof OrderEvent>

/**
 * An order that was read from the shop. `since`: when the shop was registered. What the books need not have
 * is passed by these fields, whatever else the order has.
 */
export const OrderRead = z.object({
  order: z.looseObject(SaleorOrder.pick({ id: true, created: true, status: true }).shape),
  since: z.string(),
})
export type OrderRead = z.output<typeof OrderRead>

/** What an event changed in the books. */
export const BookedAnswer = z.strictObject({ recorded: z.boolean(), refunded: z.boolean() })
export type Booked = z.output<typeof BookedAnswer>
