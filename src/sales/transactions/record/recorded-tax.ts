import { type TaxUnder, withNumber } from '../../calculation/charged-under.ts'
import { MILLION, multiplyAndDivide } from '../../../engine/arithmetic/rounding.ts'
import type { AssessedLine, Assessment } from '../../../engine/found/assessment.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'
import { componentsOfRate } from '../../../engine/book/rate-components.ts'
import { isSurcharge } from '../../../engine/book/surcharge.ts'
import { invariant } from '../../../engine/ground/invariant.ts'
import { findPlace, placeOfJurisdiction } from '../../../engine/supply/place.ts'
import type { DeclaredLine } from '../../../engine/regimes/regime.ts'
import { ratesInForce } from '../../../tax-data/records/rates-of-jurisdiction.ts'
import { isGiven } from './complete-request.ts'
import { partsToStore } from '../sale/line-parts.ts'
import { proRata } from '../give-back/refund-split.ts'
import type { LineRow } from '../sale/rows.ts'
import { certificateForLine } from './sale-proofs.ts'
import type { SaleToRecord } from './sale-to-record.ts'
import type { LineBody, TransactionBody } from '../sale/schemas.ts'

/** The tax of a line, calculated or given. Rate in millionths. */
type LineTax = Pick<
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

/** The tax of a line with its place of supply, the scheme that declares it, and the certificate for it. */
type RecordedTax = LineTax & Pick<LineRow, 'place_of_supply' | 'scheme' | 'exemption'>

/**
 * How the books record the tax of a line: as the invoice states it, as it is calculated, or on a credit note
 * as the line of its sale has it.
 */
export function recordedTax(sold: SaleToRecord, line: LineBody, position: number): RecordedTax {
  const { book, body, sale, assessment } = sold
  const { product_type } = line
  const { mirrored = null, placed = null } = sold.credits[position] ?? {}
  if (mirrored !== null) return mirrored
  const assessed = assessment?.lines[position] ?? assessment?.shipping ?? null
  const place_of_supply = placed?.place_of_supply ?? placeOfLine(body, assessment, assessed)
  const under = sold.taxes_under[position] ?? []
  const tax =
    sold.given || assessed === null
      ? givenTax(sold, { ...line, position }, assessed, { place_of_supply, under })
      : calculatedTax(book, assessed, under)
  if (placed !== null) return { ...tax, ...placed }
  return {
    ...tax,
    place_of_supply,
    scheme: schemeOfLine(sold, {
      place_of_supply,
      product_type,
      bears_tax: bearsTax(tax),
      fetched: sale.delivery === 'pickup',
      low_value: assessed?.low_value ?? sale.importer !== 'seller',
    }),
    // Thresholds of retail sales do not count resale.
    exemption:
      certificateForLine(book, sale, { ...tax, place_of_supply, product_type, position })?.exemption_type ??
      '',
  }
}

/** The recorded place of supply. Without an assessment it is the jurisdiction that the caller names. */
export function placeOfSupply(
  body: TransactionBody,
  assessed: Pick<Assessment, 'jurisdiction_id'> | null,
): string {
  return invariant(body.jurisdiction_id ?? assessed?.jurisdiction_id, 'a line has a place of supply')
}

/** An invoice that names the place that we find for the whole sale has each line where we find it. */
function placeOfLine(
  body: TransactionBody,
  assessment: Assessment | null,
  assessed: AssessedLine | null,
): string {
  const stated = placeOfSupply(body, assessment)
  return assessed !== null && stated === assessment?.jurisdiction_id ? assessed.jurisdiction_id : stated
}

/** The one-stop shop through which a line is declared; '' is the seller's own registration. */
function schemeOfLine({ book, sale }: SaleToRecord, line: Omit<DeclaredLine, 'origin'>): LineRow['scheme'] {
  const place = placeOfJurisdiction(book, line.place_of_supply)
  if (place === null || !line.bears_tax) return ''
  const stock = sale.ship_from ?? sale.seller.address
  const origin = stock === null ? null : findPlace(book, stock, 'ship_from', 'country').state
  return place.law.schemeOf({ ...line, origin }, sale.seller, sale.customer)
}

function bearsTax({ tax_amount, taxable_amount, tax_rate }: LineTax): boolean {
  return tax_amount !== 0 || (taxable_amount !== 0 && tax_rate !== 0)
}

function calculatedTax(book: RateBook, line: AssessedLine, under: readonly TaxUnder[]): LineTax {
  return {
    taxable: line.taxable ? 1 : 0,
    net_amount: line.net_amount,
    taxable_amount: line.taxable_amount,
    uncollected_amount: uncollectedAmount(line),
    tax_rate: line.rate_millionths,
    tax_amount: line.tax_amount,
    provincial_tax_amount: taxBesideMain(book, line),
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    tax_breakdown: breakdownToStore(line, under),
    portions: partsToStore(line),
  }
}

/**
 * The tax that the invoice states. If the calculation agrees with it, the other fields (the taxable part, the
 * reason, the components) come from the calculation.
 */
function givenTax(
  { book, sale, credited }: SaleToRecord,
  line: LineBody & { position: number },
  assessed: AssessedLine | null,
  { place_of_supply, under }: { place_of_supply: string; under: readonly TaxUnder[] },
): LineTax {
  const tax_amount = invariant(line.tax_amount, 'each line of an invoice states its tax')
  const sold = sale.lines[line.position] ?? sale.shipping
  const net_amount = sold?.tax_behavior === 'inclusive' ? line.amount - tax_amount : line.amount
  const agreed = assessed !== null && assessed.tax_amount === tax_amount ? assessed : null
  const bears = tax_amount !== 0 || (line.tax_rate ?? 0) > 0
  const taxable_amount = agreed === null ? (bears ? net_amount : 0) : agreed.taxable_amount
  return {
    taxable: (line.taxable ?? line.found_taxable ?? line.supply !== false) ? 1 : 0,
    net_amount,
    taxable_amount,
    uncollected_amount: agreed === null ? 0 : uncollectedAmount(agreed),
    tax_rate: isGiven(line.tax_rate)
      ? Math.round(line.tax_rate * MILLION)
      : (agreed?.rate_millionths ??
        impliedRate(
          book,
          { place_of_supply, day: sale.day },
          { net: net_amount, tax: tax_amount, base: taxable_amount },
        )),
    tax_amount,
    provincial_tax_amount:
      assessed === null
        ? provincialOfCredit(credited, tax_amount)
        : proRata(tax_amount, taxBesideMain(book, assessed), assessed.tax_amount),
    // Also where the data cannot assess the sale: no return declares what is no supply.
    taxability_reason: line.supply === false ? 'not_a_supply' : (agreed?.taxability_reason ?? null),
    reason_detail: agreed?.reason_detail ?? null,
    tax_breakdown: agreed === null ? '[]' : breakdownToStore(agreed, under),
    portions: agreed === null ? null : partsToStore(agreed),
  }
}

/**
 * The rate of a line that states its tax alone: a rate in force there that gives the same tax to the cent,
 * the closest one if there are several. Without one it is tax divided by taxable amount, and returns say so.
 */
function impliedRate(
  book: RateBook,
  { place_of_supply, day }: { place_of_supply: string; day: string },
  { net, tax, base }: { net: number; tax: number; base: number },
): number {
  const quotient = effectiveRate(tax, base)
  if (quotient === 0) return 0
  const rates = ratesInForce(book, place_of_supply, day).filter(
    (rate) =>
      multiplyAndDivide(net, rate, MILLION) === tax ||
      multiplyAndDivide(net + tax, rate, MILLION + rate) === tax,
  )
  const [closest] = rates.toSorted((a, b) => Math.abs(a - quotient) - Math.abs(b - quotient))
  return closest ?? quotient
}

function breakdownToStore(line: AssessedLine, under: readonly TaxUnder[]): string {
  return JSON.stringify(
    line.tax_breakdown.map(({ rate_millionths, made_of, components, ...entry }) => {
      // Their amounts follow from that of the tax.
      const kept = components && made_of ? { components: componentsOfRate(made_of) } : {}
      return withNumber({ ...entry, rate: rate_millionths / MILLION, ...kept }, under)
    }),
  )
}

/** An exempt product is not uncollected: it stays exempt after registration. */
function uncollectedAmount(line: AssessedLine): number {
  return line.taxability_reason === 'not_collecting' && line.tax_if_registered !== 0 ? line.net_amount : 0
}

/** The tax of the province, or the second one by a scheme of the customer. Returns have figures of each. */
function taxBesideMain(book: RateBook, line: AssessedLine): number {
  let sum = 0
  for (const { jurisdiction_id, tax_type, tax_amount } of line.tax_breakdown) {
    // A county or city has the law of its state, and is in no rate book.
    const place = placeOfJurisdiction(book, jurisdiction_id)
    if (isSurcharge(tax_type) || place?.law.provinces?.taxes.includes(tax_type)) sum += tax_amount
  }
  return sum
}

/** The share of the province in a tax that is given back and is that of no line of the sale. */
function provincialOfCredit(credited: SaleToRecord['credited'], tax_amount: number): number {
  if (credited === null) return 0
  const provincial = credited.lines.reduce((sum, line) => sum + line.provincial_tax_amount, 0)
  return proRata(tax_amount, provincial, credited.row.tax_amount)
}

/** Tax divided by taxable amount, in millionths. */
export function effectiveRate(tax_amount: number, taxable_amount: number): number {
  // Lines of both signs can add up to almost 0, so the rate is limited to 100 %.
  return taxable_amount === 0
    ? 0
    : Math.min(Math.abs(multiplyAndDivide(tax_amount, MILLION, Math.abs(taxable_amount))), MILLION)
}
