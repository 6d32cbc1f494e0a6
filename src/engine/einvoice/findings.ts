import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import { at } from '../ground/invariant.ts'
import type { InvoiceDetails, InvoiceTreatment } from '../ground/invoice-details.ts'
import type { Finding, LineRowView, NumberView, RowView } from './invoice-view.ts'

export const MESSAGES: Readonly<Record<Finding['code'], string>> = {
  split_invoice:
    'An invoice with category O can have no other category (BR-O-11 to BR-O-14). Put these lines on ' +
    'a separate invoice',
  split_line: 'The line has several categories or rates, but an invoice line can only have one. Split it',
  several_exemptions:
    'EN 16931-1:2017 has one row for each category except S. Put the lines of each reason on a ' +
    'separate invoice',
  not_registered:
    'No tax is charged because the seller is not registered there. The part has no category, because ' +
    'E or O would make the invoice false',
  foreign_tax: 'The tax of another country has no category in the standard of the invoice',
  reason_unknown:
    'The line is marked as not taxable. Give exemption_reason, because category E needs a reason ' +
    '(BR-E-10)',
  third_party_discount:
    'A third party pays a discount, and its payment is taxed too, so the taxable amount is larger ' +
    'than the net amount of the line. Print the price before that discount, and the discount as an ' +
    'amount paid (BT-113)',
  tax_differs: 'The recorded tax differs from the calculated tax, so the category is unknown',
  credit_unknown:
    'The credited sale has no line of this rate, or several that differ. Give the line of the credit note ' +
    'the product type and the rate of the line that it credits',
  second_tax:
    'The recargo de equivalencia has no field in EN 16931 and Peppol, so no row contains it: the total ' +
    'of the sale is larger than that of this view. The line has it in tax_breakdown. Facturae has it as ' +
    'EquivalenceSurcharge, and VERI*FACTU as TipoRecargoEquivalencia',
  registration_unknown: 'A registration has no number. Add it to the registration',
  line_rounding:
    'Rounding by line has moved the tax of a rate by 1.00 or more from taxable amount × rate ' +
    '(BR-CO-17, BR-S-09). Use `rounding: document`',
  not_kept:
    'The sale has no invoice fields, because it was recorded before they were kept, or no law in the ' +
    'data assessed it',
}

type ViewRead = {
  details: InvoiceDetails
  lines: readonly (readonly LineRowView[])[]
  breakdown: readonly RowView[]
  seller_registrations: readonly NumberView[]
  digits: number
}

/** The warnings on a view, each once. */
export function findingsOf({ details, lines, breakdown, seller_registrations, digits }: ViewRead): Finding[] {
  const linesWith = (isMeant: (row: LineRowView) => boolean): number[] =>
    lines.flatMap((rows, line) => (rows.some(isMeant) ? [line] : []))
  const linesOf = (isMeant: (treatment: InvoiceTreatment) => boolean): number[] =>
    details.lines.flatMap((rows, line) =>
      rows.some(({ treatment }) => isMeant(at(details.treatments, treatment))) ? [line] : [],
    )
  const linesSaid = (said: InvoiceTreatment['warning']) => linesOf(({ warning }) => warning === said)
  const categories = breakdown.map(({ category }) => category)
  const alone = categories.includes('O') && categories.some((category) => category !== 'O')
  const repeated = categories.filter(
    (category, index) => category !== 'S' && categories.indexOf(category) !== index,
  )
  const unnumbered = seller_registrations.flatMap(({ printed, registration_number }, index) =>
    printed && registration_number === null ? [index] : [],
  )
  const drifting = breakdown.filter((row) => driftsFromRate(row, digits))
  const found: readonly [Finding['code'], number[]][] = [
    ['split_invoice', alone ? linesWith(({ category }) => category === 'O') : []],
    ['split_line', lines.flatMap((rows, line) => (rows.filter(hasCategory).length > 1 ? [line] : []))],
    ['several_exemptions', linesWith(({ category }) => repeated.includes(category))],
    ['not_registered', linesSaid('not_registered')],
    ['foreign_tax', linesSaid('foreign_tax')],
    ['reason_unknown', linesSaid('reason_unknown')],
    ['third_party_discount', linesSaid('third_party_discount')],
    ['tax_differs', linesSaid('tax_differs')],
    ['credit_unknown', linesSaid('credit_unknown')],
    ['not_kept', linesSaid('not_kept')],
    ['second_tax', linesOf(({ second_rate_millionths }) => second_rate_millionths !== undefined)],
    [
      'registration_unknown',
      linesWith((row) => row.seller_registrations.some((number) => unnumbered.includes(number))),
    ],
    [
      'line_rounding',
      linesWith((row) =>
        drifting.some((each) => each.category === row.category && each.rate_percent === row.rate_percent),
      ),
    ],
  ]
  return found
    .filter(([, of]) => of.length > 0)
    .map(([code, of]) => ({ code, message: MESSAGES[code], lines: of }))
}

function hasCategory({ category }: RowView): boolean {
  return category !== null
}

/** BR-S-09, BR-CO-17: the tax of a row is base × rate, with less than 1.00 of the currency between them. */
function driftsFromRate({ taxable_amount, tax_amount, rate_percent }: RowView, digits: number): boolean {
  const rate_millionths = Math.round(Number(rate_percent ?? 0) * 10_000)
  const exact = multiplyAndDivide(taxable_amount, rate_millionths, MILLION)
  return Math.abs(tax_amount - exact) >= 10 ** digits
}
