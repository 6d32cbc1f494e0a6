import { calculateTax } from '../../sales/calculation/calculate.ts'
import { checkCalculation } from '../../sales/calculation/check-request.ts'
import type { CalculateRequested } from '../../sales/calculation/schemas.ts'
import type { Context } from '../../platform/context.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { fractionDigits, minorUnits } from '../taxjar/amounts.ts'
import { partiesOf, productTypeOf } from './sale.ts'
import type { TaxesAnswer, TaxesEvent } from './tax-payload.ts'
import { trimEnd } from '../../platform/kit/trim-end.ts'

const NOT_YET = '{"message":"The checkout has no address or no lines yet, so no tax is calculated"}'

/**
 * The taxes of a checkout or an order, line for line. Without an address or lines there is no sale yet: 202
 * is no answer to Saleor, and no fault of ours either. Each error keeps the checkout from being completed.
 */
export async function taxesOf(context: Context, { taxBase }: TaxesEvent): Promise<Response> {
  const body = await bodyOf(context, taxBase)
  if (body === null)
    return new Response(NOT_YET, { status: 202, headers: { 'Content-Type': 'application/json' } })
  const calculated = await calculateTax(context, body)
  return Response.json(answerOf(calculated))
}

type TaxBase = TaxesEvent['taxBase']

/** The request of a calculation that a checkout means. Null: it is incomplete. */
async function bodyOf(context: Context, taxBase: TaxBase): Promise<CalculateRequested | null> {
  const { address, lines, currency, discounts, sourceObject } = taxBase
  if (address === null || lines.length === 0) return null
  const units = ({ amount }: TaxBase['shippingPrice']) => minorUnits(amount, currency)
  // Saleor has taken the discounts of the shipping off its price already.
  const discount_amount = discounts
    .filter(({ type }) => type === 'SUBTOTAL')
    .reduce((sum, { amount }) => sum + units(amount), 0)
  return checkCalculation({
    currency,
    tax_behavior: taxBase.pricesEnteredWithTax ? 'inclusive' : 'exclusive',
    ...partiesOf(address, sourceObject),
    line_items: lines.map(({ quantity, totalPrice, sourceLine }, index) => ({
      reference: sourceLine.id,
      quantity,
      amount: units(totalPrice),
      product_type: productTypeOf(context, sourceLine.variant, `taxBase.lines[${index}]`),
    })),
    shipping_cost: { amount: units(taxBase.shippingPrice) },
    ...(discount_amount > 0 && { discount_amount }),
  })
}

type CalculatedCart = Awaited<ReturnType<typeof calculateTax>>

/** The answer that Saleor reads. A retail delivery fee goes with the shipping, which it is levied on. */
function answerOf({ currency, line_items, shipping_cost, fees, total }: CalculatedCart): TaxesAnswer {
  const shipping = invariant(shipping_cost, 'the shipping was asked for')
  const fee = fees.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  const gross = shipping.net_amount + shipping.tax_amount + fee
  const of_lines = line_items.reduce((sum, line) => sum + line.net_amount + line.tax_amount, 0)
  invariant(of_lines + gross === total ? total : null, 'the lines add up to the total')
  return {
    shipping_tax_rate: percentOf(shipping.tax_rate),
    shipping_price_net_amount: decimalOf(shipping.net_amount, currency),
    shipping_price_gross_amount: decimalOf(gross, currency),
    lines: line_items.map(({ tax_rate, net_amount, tax_amount }) => ({
      tax_rate: percentOf(tax_rate),
      total_net_amount: decimalOf(net_amount, currency),
      total_gross_amount: decimalOf(net_amount + tax_amount, currency),
    })),
  }
}

/** Minor units as a decimal: 5866 of USD is 58.66. Neither an amount nor a tax of a shop is negative. */
function decimalOf(amount: number, currency: string): string {
  const digits = fractionDigits(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** A fraction in percent: 0.08625 is 8.625. */
function percentOf(rate: number): string {
  const text = (Math.round(rate * 1_000_000) / 10_000).toFixed(4)
  return trimEnd(trimEnd(text, '0'), '.')
}
