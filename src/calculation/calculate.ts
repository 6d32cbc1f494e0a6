import { ApiError } from '../errors.ts'
import type { Context } from '../context.ts'
import { toApiError } from '../http/error-response.ts'
import { errorBody } from '../http/error-response.ts'
import { validate } from '../http/validate.ts'
import { assess } from '../tax/assess.ts'
import type { AssessedLine, Assessment, BreakdownEntry } from '../tax/assessment.ts'
import type { RateBook } from '../tax/rate-book.ts'
import type { Sale, SaleLine } from '../tax/sale.ts'
import { currentRateBook, heldRateBook, rateBookOfVersion } from '../tax-data/current-rate-book.ts'
import { countryName } from '../http/fields.ts'
import { metaOfAssessment } from './meta.ts'
import { type CalculateBody, CalculateRequest } from './schemas.ts'
import { sellerOf, vatIdOf } from './seller.ts'

/** Calculates the tax of a sale. Warm it reads neither D1 nor KV. */
export async function calculate(context: Context, body: CalculateBody): Promise<object> {
  const book = await bookFor(context, body.data_version ?? null)
  return calculateWith(context, book, body)
}

/** Up to 100 calculations; each stands or falls alone. */
export async function calculateBatch(context: Context, calculations: readonly unknown[]): Promise<object> {
  let succeeded = 0
  const results = []
  for (const [index, calculation] of calculations.entries()) {
    try {
      results.push({ index, success: true, data: await calculate(context, validate(CalculateRequest, calculation)) })
      succeeded += 1
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.reason === 'internal_error') throw thrown
      results.push({ index, success: false, error: errorBody(error) })
    }
  }
  return { results, summary: { total: calculations.length, succeeded, failed: calculations.length - succeeded } }
}

/** The rate book in force, or the one of an earlier version. Throws data_version_not_found. */
export async function bookFor(context: Context, data_version: string | null): Promise<RateBook> {
  if (data_version === null) return heldRateBook(context.now) ?? (await currentRateBook(context.env, context.now))
  const book = await rateBookOfVersion(context.env, data_version)
  if (book === null) throw new ApiError('data_version_not_found')
  return book
}

function calculateWith(context: Context, book: RateBook, body: CalculateBody): object {
  const day = body.transaction_date ?? context.now.toISOString().slice(0, 10)
  const { customer } = body
  const vat = vatIdOf(context, customer.vat_id, customer.vat_id_validated, customer.address.country)
  const sale: Sale = {
    currency: body.currency,
    day,
    seller: sellerOf(context, body.seller, day),
    customer: { address: customer.address, type: customer.type ?? null, vat_id: vat.vat_id },
    supply_address: body.supply_address ?? null,
    lines: body.line_items.map((line, index) => lineOf(line, index, body)),
    shipping: shippingOf(body),
    rounding: body.rounding ?? 'line',
    seller_registered: body.seller_registered ?? null,
    exemptions: [],
    explain: body.explain ?? false,
  }
  const assessment = assess(sale, book)
  return present(context, book, body, day, assessment, vat.status)
}

function lineOf(line: CalculateBody['line_items'][number], index: number, body: CalculateBody): SaleLine {
  return {
    amount: line.amount,
    discount: line.discount ?? 0,
    quantity: line.quantity ?? 1,
    product_type: line.product_type,
    tax_behavior: line.tax_behavior ?? body.tax_behavior ?? 'exclusive',
    taxable: line.taxable ?? true,
    path: `line_items[${index}]`,
  }
}

function shippingOf({ shipping_cost, tax_behavior }: CalculateBody): SaleLine | null {
  if (!shipping_cost) return null
  return {
    amount: shipping_cost.amount,
    discount: 0,
    quantity: 1,
    product_type: 'shipping',
    tax_behavior: shipping_cost.tax_behavior ?? tax_behavior ?? 'exclusive',
    taxable: true,
    path: 'shipping_cost',
  }
}

function present(
  context: Context,
  book: RateBook,
  body: CalculateBody,
  day: string,
  assessment: Assessment,
  vat_id_status: string,
): object {
  const { jurisdiction_id, shipping } = assessment
  return {
    currency: body.currency,
    jurisdiction_id,
    jurisdiction_name: nameOf(book, jurisdiction_id),
    coverage: jurisdiction_id.startsWith('US') ? 'state' : 'full',
    transaction_date: day,
    customer: { jurisdiction_id: assessment.customer_jurisdiction_id, vat_id_status },
    subtotal: assessment.subtotal,
    discount_amount: assessment.discount_amount,
    tax_amount: assessment.tax_amount,
    total: assessment.total,
    tax_rate: assessment.rate_millionths / 1_000_000,
    seller_registered: assessment.seller_registered,
    reverse_charge: assessment.reverse_charge,
    line_items: assessment.lines.map((line, index) => presentLine(body, index, line)),
    shipping_cost: shipping === null ? null : { amount: body.shipping_cost?.amount ?? 0, ...presentTax(shipping) },
    tax_breakdown: assessment.tax_breakdown.map(presentEntry),
    decision: assessment.decision,
    exemption: assessment.exemption,
    notes: assessment.notes,
    ...(assessment.trace !== null && { trace: assessment.trace }),
    meta: metaOfAssessment(assessment.rates_used, assessment.rules_used, context.now, book.version),
  }
}

function presentLine(body: CalculateBody, index: number, line: AssessedLine): object {
  const given = body.line_items[index]
  return {
    reference: given?.reference ?? null,
    amount: given?.amount ?? 0,
    quantity: given?.quantity ?? 1,
    product_type: given?.product_type ?? '',
    description: given?.description ?? null,
    tax_behavior: given?.tax_behavior ?? body.tax_behavior ?? 'exclusive',
    discount: given?.discount ?? 0,
    ...presentTax(line),
  }
}

function presentTax(line: AssessedLine): object {
  return {
    net_amount: line.net_amount,
    taxable: line.taxable,
    taxable_amount: line.taxable_amount,
    tax_rate: line.rate_millionths / 1_000_000,
    tax_amount: line.tax_amount,
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    tax_if_registered: line.tax_if_registered,
    tax_breakdown: line.tax_breakdown.map(presentEntry),
    notes: line.notes,
  }
}

function presentEntry(entry: BreakdownEntry): object {
  const { jurisdiction_id, tax_type, category, rate_millionths, taxable_amount, tax_amount } = entry
  return { jurisdiction_id, tax_type, category, rate: rate_millionths / 1_000_000, taxable_amount, tax_amount }
}

/** The name of a jurisdiction, also of one that the data does not hold. */
export function nameOf(book: RateBook, jurisdiction_id: string): string {
  return book.jurisdictions.get(jurisdiction_id)?.name ?? countryName(jurisdiction_id)
}
