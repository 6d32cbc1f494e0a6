import type { AssessedLine } from '../tax/assessment.ts'
import { MILLION, multiplyAndDivide } from '../tax/arithmetic/rounding.ts'
import { ratesInForce } from '../tax-data/rates-of-jurisdiction.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { invariant } from '../tax/invariant.ts'
import { placeOfJurisdiction } from '../tax/place.ts'
import { portionsOf } from './portions.ts'
import type { LineRow } from './rows.ts'
import type { TransactionBody } from './schemas.ts'

export type LineBody = TransactionBody['line_items'][number]

/** The tax of a line, calculated or given. Rate in millionths. */
export type LineTax = Pick<
  LineRow,
  | 'taxable'
  | 'net_amount'
  | 'taxable_amount'
  | 'uncollected_amount'
  | 'tax_rate'
  | 'tax_amount'
  | 'provincial_tax_amount'
  | 'taxability_reason'
  | 'reason_detail'
  | 'tax_breakdown'
  | 'portions'
>

/** The calculated tax of a line. */
export function calculatedTax(book: RateBook, line: AssessedLine): LineTax {
  return {
    taxable: line.taxable ? 1 : 0,
    net_amount: line.net_amount,
    taxable_amount: line.taxable_amount,
    uncollected_amount: uncollectedAmount(line),
    tax_rate: line.rate_millionths,
    tax_amount: line.tax_amount,
    provincial_tax_amount: provincialTax(book, line),
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    tax_breakdown: breakdownOf(line),
    portions: portionsOf(line),
  }
}

/**
 * The tax that the invoice states. If the calculation agrees with it, the other fields (the taxable part, the
 * reason, the components) come from the calculation.
 */
export function givenTax(
  book: RateBook,
  line: LineBody,
  body: TransactionBody,
  assessed: AssessedLine | null,
  place: PlaceAndDay,
): LineTax {
  const tax_amount = invariant(line.tax_amount, 'each line of an invoice states its tax')
  const behavior = line.tax_behavior ?? body.tax_behavior ?? 'exclusive'
  const net_amount = behavior === 'inclusive' ? line.amount - tax_amount : line.amount
  const agreed = assessed !== null && assessed.tax_amount === tax_amount ? assessed : null
  const bears = tax_amount !== 0 || (line.tax_rate ?? 0) > 0
  const taxable_amount = agreed === null ? (bears ? net_amount : 0) : agreed.taxable_amount
  return {
    taxable: (line.taxable ?? true) ? 1 : 0,
    net_amount,
    taxable_amount,
    uncollected_amount: agreed === null ? 0 : uncollectedAmount(agreed),
    tax_rate: isGiven(line.tax_rate)
      ? Math.round(line.tax_rate * MILLION)
      : (agreed?.rate_millionths ??
        impliedRate(book, place, { net: net_amount, tax: tax_amount, base: taxable_amount })),
    tax_amount,
    provincial_tax_amount:
      assessed === null ? 0 : shareOf(tax_amount, provincialTax(book, assessed), assessed.tax_amount),
    taxability_reason: agreed?.taxability_reason ?? null,
    reason_detail: agreed?.reason_detail ?? null,
    tax_breakdown: agreed === null ? '[]' : breakdownOf(agreed),
    portions: agreed === null ? null : portionsOf(agreed),
  }
}

/** Where and when a line is taxed. */
type PlaceAndDay = { place_of_supply: string; day: string }

/**
 * The rate of a line that states its tax alone: a rate in force there that gives the same tax to the cent,
 * the closest one if there are several. Without one it is tax divided by taxable amount, and returns say so.
 */
function impliedRate(
  book: RateBook,
  { place_of_supply, day }: PlaceAndDay,
  { net, tax, base }: { net: number; tax: number; base: number },
): number {
  const quotient = rateOf(tax, base)
  if (quotient === 0) return 0
  const rates = ratesInForce(book, place_of_supply, day).filter(
    (rate) =>
      multiplyAndDivide(net, rate, MILLION) === tax ||
      multiplyAndDivide(net + tax, rate, MILLION + rate) === tax,
  )
  const [closest] = rates.toSorted((a, b) => Math.abs(a - quotient) - Math.abs(b - quotient))
  return closest ?? quotient
}

function breakdownOf(line: AssessedLine): string {
  return JSON.stringify(
    line.tax_breakdown.map(({ rate_millionths, ...entry }) => ({
      ...entry,
      rate: rate_millionths / MILLION,
    })),
  )
}

/** An exempt product is not uncollected: it stays exempt after registration. */
function uncollectedAmount(line: AssessedLine): number {
  return line.taxability_reason === 'not_collecting' && line.tax_if_registered !== 0 ? line.net_amount : 0
}

function provincialTax(book: RateBook, line: AssessedLine): number {
  let sum = 0
  for (const { jurisdiction_id, tax_type, tax_amount } of line.tax_breakdown) {
    // A county or city has the law of its state, and is in no rate book.
    const place = placeOfJurisdiction(book, jurisdiction_id)
    if (place?.law.provinces?.taxes.includes(tax_type)) sum += tax_amount
  }
  return sum
}

export function isGiven(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}

/** Tax divided by taxable amount, in millionths. */
export function rateOf(tax_amount: number, taxable_amount: number): number {
  // Lines of both signs can add up to almost 0, so the rate is limited to 100 %.
  return taxable_amount === 0
    ? 0
    : Math.min(Math.abs(multiplyAndDivide(tax_amount, MILLION, Math.abs(taxable_amount))), MILLION)
}

function shareOf(amount: number, part: number, whole: number): number {
  return whole === 0
    ? 0
    : multiplyAndDivide(amount, Math.abs(part), Math.abs(whole)) * (Math.sign(part) * Math.sign(whole) || 0)
}
