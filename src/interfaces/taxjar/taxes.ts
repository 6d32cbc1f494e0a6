import { calculateOwn } from '../../sales/calculation/calculate.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { at } from '../../engine/ground/invariant.ts'
import { annotated, type Annotation } from './annotations.ts'
import { toldCodes } from './told-codes.ts'
import { majorUnits } from './amounts.ts'
import { type TaxesAnswer, type TaxOfOrder } from './answers.ts'
import { breakdownOf, type CalculatedOrder, rateOfOrder, taxableAmount, taxWithoutFees } from './breakdown.ts'
import { currencyOf } from './currency.ts'
import { inTheirWords } from './errors.ts'
import { isExempting, THEIR_EXEMPTIONS } from './exemption-types.ts'
import { refuseStateRateAlone } from './state-rates.ts'
import { jurisdictionsOf, taxSource } from './jurisdictions.ts'
import type { TaxesBody } from './schemas.ts'
import { type ReadTaxCode, taxCodeReader } from './tax-codes.ts'
import { customerOfOrder, type KnownOfOrder, namesCustomer, orderToTax } from './tax-lines.ts'

type TaxesReply = Answer<typeof TaxesAnswer>

/**
 * `POST /v2/taxes`: the tax of an order, calculated as `POST /v1/calculate` does. With the data in memory and
 * no customer it waits for nothing.
 */
export function taxOfOrder(context: Context, order: TaxesBody): Promise<TaxesReply> | TaxesReply {
  const currency = currencyOf(context, order.from_country)
  const readCode = taxCodeReader(order.line_items ?? [])
  return typeof currency === 'string' && typeof readCode === 'function' && !namesCustomer(order)
    ? calculate(context, order, { currency, customer_id: null, readCode })
    : calculateWithData(context, order, currency, readCode)
}

async function calculateWithData(
  context: Context,
  order: TaxesBody,
  currency: string | Promise<string>,
  readCode: ReadTaxCode | Promise<ReadTaxCode>,
): Promise<TaxesReply> {
  const customer_id = await customerOfOrder(context, order)
  return calculate(context, order, {
    currency: await currency,
    customer_id,
    readCode: await readCode,
  })
}

function calculate(
  context: Context,
  order: TaxesBody,
  known: KnownOfOrder,
): Promise<TaxesReply> | TaxesReply {
  return inTheirWords({ state: order.to_state, zip: order.to_zip }, () => {
    const body = orderToTax(context, order, known)
    const told = toldCodes(body.line_items)
    const calculated = calculateOwn(context, body)
    return calculated instanceof Promise
      ? calculated.then((answer) => replyOf(context, order, answer, told))
      : replyOf(context, order, calculated, told)
  })
}

function replyOf(
  context: Context,
  order: TaxesBody,
  calculated: CalculatedOrder,
  { headers: ofCodes, note }: Annotation,
): TaxesReply {
  const tax = presentTax(context, order, calculated)
  const reason = calculated.tax_amount === 0 ? at(calculated.line_items, 0).taxability_reason : null
  const fee = calculated.tax_amount - taxWithoutFees(calculated)
  const headers = {
    ...ofCodes,
    ...(reason !== null && { 'X-Taxability-Reason': reason }),
    ...(fee !== 0 && { 'X-Retail-Delivery-Fee': String(majorUnits(fee, calculated.currency)) }),
  }
  return annotated({ tax }, { note, headers })
}

const WITHOUT_NEXUS: ReadonlySet<string | null> = new Set([
  'not_collecting',
  'not_subject_to_tax',
  'not_supported',
])

function presentTax(context: Context, order: TaxesBody, calculated: CalculatedOrder): TaxOfOrder {
  const money = (amount: number) => majorUnits(amount, calculated.currency)
  const exempt = isExempting(order.exemption_type)
  const shipping = Number(order.shipping) === 0 ? 0 : shippingOf(calculated, exempt)
  const has_nexus =
    calculated.seller_registered ||
    calculated.line_items.some(({ taxability_reason }) => !WITHOUT_NEXUS.has(taxability_reason))
  const sums = { order_total_amount: money(calculated.subtotal), shipping: money(shipping) }
  const named = exemptionOf(order, calculated)
  if (!has_nexus)
    return {
      ...sums,
      taxable_amount: 0,
      amount_to_collect: 0,
      rate: 0,
      has_nexus,
      freight_taxable: false,
      tax_source: null,
      ...named,
    }
  refuseStateRateAlone(context, calculated)
  const from = placeOfSeller(context, order)
  const tax_source = taxSource(context, calculated, from)
  const place = tax_source === 'origin' ? from : { city: order.to_city, zip: order.to_zip }
  const freight_taxable = calculated.shipping_cost?.tax_breakdown.some(({ rate }) => rate > 0) ?? false
  const ids = (order.line_items ?? []).map(({ id }, index) => id ?? String(index + 1))
  return {
    ...sums,
    taxable_amount: money(taxableAmount(calculated)),
    amount_to_collect: money(taxWithoutFees(calculated)),
    rate: rateOfOrder(calculated),
    has_nexus,
    freight_taxable,
    tax_source,
    ...named,
    jurisdictions: jurisdictionsOf(context, calculated, place),
    ...(ids.length > 0 && {
      breakdown: breakdownOf(context, linesAlone(calculated, exempt), ids, freight_taxable),
    }),
  }
}

/** The shipping of an exempt order is its last line: see orderToTax. */
function shippingOf({ line_items, shipping_cost }: CalculatedOrder, exempt: boolean): number {
  return exempt ? at(line_items, line_items.length - 1).amount : (shipping_cost?.amount ?? 0)
}

function linesAlone(calculated: CalculatedOrder, exempt: boolean): CalculatedOrder {
  return exempt ? { ...calculated, line_items: calculated.line_items.slice(0, -1) } : calculated
}

function exemptionOf(
  { exemption_type }: TaxesBody,
  { exemption }: CalculatedOrder,
): Pick<TaxOfOrder, 'exemption_type'> {
  if (exemption_type) return { exemption_type }
  return exemption === null ? {} : { exemption_type: THEIR_EXEMPTIONS[exemption.exemption_type] }
}

function placeOfSeller({ principal }: Context, order: TaxesBody) {
  const { from_country, from_state, from_city, from_zip } = order
  if (from_country)
    return { country: from_country, state: from_state ?? null, city: from_city, zip: from_zip }
  const { seller } = principal
  return {
    country: seller?.country ?? null,
    state: seller?.region?.replace(/^[A-Z]{2}-/, '') ?? null,
    city: seller?.city ?? null,
    zip: seller?.postal_code ?? null,
  }
}
