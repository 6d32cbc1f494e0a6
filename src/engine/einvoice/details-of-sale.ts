import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import type { LineInParts, Part, TaxesOf, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import type { EinvoiceAsked } from '../sale/sale.ts'
import { natureOf, reasonOfNoSupply } from '../book/product-types.ts'
import { taxSchemeOf } from './categories.ts'
import type { InvoiceDetails, InvoiceRow, InvoiceTreatment, SellerNumber } from '../ground/invoice-details.ts'
import { countryOf, standardOf } from './invoice-law.ts'
import { noSupplyTreatment } from './no-supply.ts'
import {
  chargedTreatment,
  NOTHING_SAID,
  restTreatment,
  type Treated,
  untaxedTreatment,
} from './treatments.ts'

/** A row whose treatment is not numbered yet. */
type FoundRow = {
  treated: Treated
  taxable_amount: number
  tax_amount: number
  /** The base contains what a third party pays, so it is larger than the price. */
  funded: boolean
}

/**
 * What an invoice of an assessed sale needs to know, read off from the terms of each part. Amounts in minor
 * units. Pure, and in no language.
 */
export function invoiceDetailsOf(
  walk: Walk,
  lines: readonly LineInParts[],
  taxesOf: TaxesOf,
  { exemption_reasons }: EinvoiceAsked,
): InvoiceDetails {
  const supplied = lines.map((inParts, index) =>
    isNoSupply(inParts)
      ? []
      : inParts.parts.flatMap((part) =>
          rowsOfPart(walk, inParts, part, taxesOf(part), exemption_reasons[index] ?? null),
        ),
  )
  const beside = supplied.flat().some(({ treated: { treatment } }) => hasOtherCategory(treatment))
  const rows = supplied.map((own, index) => {
    const inParts = at(lines, index)
    if (!isNoSupply(inParts)) return own
    const said = { stated_reason: exemption_reasons[index] ?? null, beside }
    const treated = noSupplyTreatment(walk, inParts.parts[0].terms, said)
    return [{ treated, taxable_amount: inParts.price, tax_amount: 0, funded: false }]
  })
  const law = lawOfInvoice(walk, rows.flat())
  const treatments = new Numbered<InvoiceTreatment>()
  const numbers = new Numbered<SellerNumber>()
  const numbered = rows.map((own) =>
    merged(
      own.map(({ treated, taxable_amount, tax_amount, funded }) => {
        const treatment = inScheme(treated, law.tax_scheme)
        const kept = {
          ...treatment,
          warning: treatment.warning ?? (funded ? 'third_party_discount' : null),
          numbers: treated.numbers.map((each) => numbers.placeOf(each)),
        }
        return { treatment: treatments.placeOf(kept), taxable_amount, tax_amount }
      }),
    ),
  )
  return {
    ...law,
    treatments: treatments.values,
    numbers: numbers.values,
    lines: numbered,
  }
}

/** Whether a line pays for no supply, as the request says or as the law does of a deposit. */
function isNoSupply({ line, parts }: LineInParts): boolean {
  if (reasonOfNoSupply(line.product_type) !== null) return true
  return natureOf(line.product_type)?.deposit === true && parts[0].terms.reason === 'not_a_supply'
}

/** Whether a part has a category with which O does not go. */
function hasOtherCategory({ category }: Treated['treatment']): boolean {
  return category !== null && category !== 'O'
}

/**
 * A treatment without the category, the code and the rules of a standard that is not the invoice's. What the
 * law of the origin says keeps its code: it is not of the row.
 */
function inScheme(
  { treatment, standard }: Treated,
  scheme: InvoiceDetails['tax_scheme'],
): Treated['treatment'] {
  if (standard === null || taxSchemeOf(standard) === scheme) return treatment
  const { at_origin } = treatment
  return { ...NOTHING_SAID, category: null, rate_millionths: null, warning: 'foreign_tax', at_origin }
}

/** One row for each treatment of a line. */
function merged(rows: readonly InvoiceRow[]): readonly InvoiceRow[] {
  if (rows.length < 2) return rows
  return [...Map.groupBy(rows, ({ treatment }) => treatment)].map(([treatment, own]) => ({
    treatment,
    taxable_amount: own.reduce((sum, { taxable_amount }) => sum + taxable_amount, 0),
    tax_amount: own.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
  }))
}

/** A list in which equal values are once. */
class Numbered<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()

  placeOf(value: Value): number {
    const key = JSON.stringify(value)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.values.length)
    return this.values.push(value) - 1
  }
}

/** The scheme of the first part with a category, and the country of the seller's law if that has one. */
function lawOfInvoice(
  { book, seller, customer }: Walk,
  rows: readonly FoundRow[],
): Pick<InvoiceDetails, 'tax_scheme' | 'country'> {
  const own = seller === null ? null : standardOf(seller, 'goods')
  const standard = rows.find(({ treated }) => treated.standard !== null)?.treated.standard ?? own
  return {
    tax_scheme: standard === null ? null : taxSchemeOf(standard),
    country: countryOf(book, seller !== null && own !== null ? seller : customer, 'goods'),
  }
}

function rowsOfPart(
  walk: Walk,
  { line }: LineInParts,
  { terms, amount, base: price_base, tax_behavior, components }: Part,
  taxes: readonly number[],
  stated_reason: string | null,
): FoundRow[] {
  const tax_amount = taxes.reduce((sum, tax) => sum + tax, 0)
  const included = tax_behavior === 'inclusive' ? tax_amount : 0
  const price = amount - included
  const base = price_base - included
  const [first] = components
  const treated =
    first === undefined
      ? untaxedTreatment(walk, terms, { taxable: line.taxable, stated_reason })
      : chargedTreatment(walk, terms, line.product_type, first)
  // What a third party pays for a discount is a part of the base: Directive 2006/112/EC, art. 73.
  const funded = line.taxable && treated.standard !== null && Math.abs(base) > Math.abs(price)
  const whole = funded ? base : price
  if (first === undefined || treated.standard === null)
    return [{ treated, taxable_amount: whole, tax_amount, funded }]
  const taxable_amount = multiplyAndDivide(base, first.fraction_millionths, MILLION)
  // Of several taxes, the standard has the first.
  const row = { treated, taxable_amount, tax_amount: at(taxes, 0), funded }
  const rest = whole - taxable_amount
  if (rest === 0) return [row]
  return [row, { treated: restTreatment(walk, terms), taxable_amount: rest, tax_amount: 0, funded }]
}
