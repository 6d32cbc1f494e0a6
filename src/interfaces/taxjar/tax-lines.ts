import type { CalculateBody } from '../../sales/calculation/schemas.ts'
import type { Context } from '../../platform/context.ts'
import { findCustomerId } from '../../parties/customers/store.ts'
import { type Decimal, minorUnits, withSign } from './amounts.ts'
import { formOf } from './countries.ts'
import { TaxJarError } from './errors.ts'
import { isExempting } from './exemption-types.ts'
import type { TaxesBody } from './schemas.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import { destinationOf, sellerOfOrder } from './parties.ts'
import type { OwnProduct } from '../../tax-data/product-codes/product-of-code.ts'
import type { ReadTaxCode } from './tax-codes.ts'

type Line = NonNullable<TaxesBody['line_items']>[number]
type OurLine = CalculateBody['line_items'][number]

/** What was read for an order. */
export type KnownOfOrder = { currency: string; customer_id: string | null; readCode: ReadTaxCode }

/** Converts an order to a calculation. Throws the errors of TaxJar for fields that are missing. */
export function orderToTax(
  context: Context,
  order: TaxesBody,
  { currency, customer_id, readCode }: KnownOfOrder,
): CalculateBody {
  const country = requireDestination(order)
  const exempt = isExempting(order.exemption_type)
  const given = order.line_items ?? []
  if (given.length === 0 && !order.amount) throw new TaxJarError(406, 'amount is missing')
  const lines: OurLine[] =
    given.length === 0
      ? [{ amount: minorUnits(order.amount ?? '0', currency), product_type: 'physical_goods' }]
      : given.map((line, index) => lineOf(line, index, currency, readCode(line.product_tax_code)))
  const shipping = { amount: minorUnits(withSign(order.shipping, 1), currency) }
  // An exempt order has its shipping as a line, because only lines can be exempt as a whole.
  const untaxed = (): OurLine[] =>
    [...lines, { ...shipping, product_type: 'shipping' as const }].map((line) => ({
      ...line,
      taxable: false,
    }))
  return {
    currency,
    // TaxJar rounds the tax of the order, and its lines share it.
    rounding: 'document',
    seller: sellerOfOrder(context, order, todayIn(context.principal.time_zone, context.now)),
    ...(customer_id !== null && { customer_id }),
    customer: { address: destinationOf(order, country) },
    ...(exempt ? { line_items: untaxed() } : { line_items: lines, shipping_cost: shipping }),
  }
}

function lineOf(
  { id, quantity, unit_price, discount }: Line,
  index: number,
  currency: string,
  product: OwnProduct,
): OurLine {
  const count = quantity ?? '1'
  const reduced = minorUnits(withSign(discount ?? '0', 1), currency)
  return {
    reference: id ?? String(index + 1),
    amount: minorUnits(unit_price ?? '0', currency, count),
    quantity: wholeQuantity(count),
    ...product,
    ...(reduced > 0 && { discount: reduced }),
  }
}

/** A quantity that is no whole number changes the amount alone. */
export function wholeQuantity(quantity: Decimal): number {
  const count = Number(quantity)
  return Number.isInteger(count) && count >= 1 && count <= 1_000_000_000 ? count : 1
}

function requireDestination({ to_country, to_state, to_zip }: TaxesBody): string {
  if (!to_country) throw new TaxJarError(406, 'to_country is missing')
  const form = formOf(to_country)
  const missing = (name: string) =>
    new TaxJarError(400, `${name} is required when to_country is ${to_country}`)
  if (form === 'us' && !to_zip) throw missing('to_zip')
  if ((form === 'us' || form === 'canadian') && !to_state) throw missing('to_state')
  return to_country
}

type NamedCustomer = Pick<TaxesBody, 'customer_id' | 'exemption_type'>

/** Whether the exemptions of a customer may apply. An exemption of the order itself wins. */
export function namesCustomer({ customer_id, exemption_type }: NamedCustomer): boolean {
  return Boolean(customer_id) && !exemption_type
}

/**
 * The id of the customer on file whose exemptions apply to an order; null: there is none. An unknown customer
 * is no error.
 */
export async function customerOfOrder(context: Context, order: NamedCustomer): Promise<string | null> {
  return order.customer_id && namesCustomer(order) ? findCustomerId(context, order.customer_id) : null
}
