import type { InvoiceCategory } from '../../src/engine/ground/invoice-details.ts'
import type { INVOICE_NEEDS, InvoiceTerm } from '../../src/engine/ground/invoice-words.ts'
import type { LineRowView, RowView } from '../../src/engine/einvoice/invoice-view.ts'
import type { SaleView } from '../../src/engine/einvoice/view.ts'
import { at } from '../../src/engine/ground/invariant.ts'
import type { Sale } from '../../src/engine/sale/sale.ts'

/** A line of an invoice (BG-25), or its shipping as a charge of the document (BG-21). */
type Where = 'line' | 'charge'

/** A row of a line, with what decides which rules it can keep. */
type PlacedRow = LineRowView & { where: Where; line: number }

/** A view as the rules read it. */
type Invoice = {
  view: SaleView['view']
  rows: readonly PlacedRow[]
  /** Of the category of the rule. */
  own: (of: readonly PlacedRow[]) => readonly PlacedRow[]
  breakdown: readonly RowView[]
  warns: (code: string, line?: number) => boolean
  /** The seller has no number that the document has a field for. */
  nameless: boolean
}

type Holds = (invoice: Invoice) => boolean

type CategoryRule = { id: string; category: InvoiceCategory | 'L' | 'M' } & (
  | { holds: Holds }
  | { not_applicable: string }
)

const NUMBERED = ['DE', 'FR', 'MC', 'IE', 'DK', 'ES', 'IT', 'GB', 'IM', 'AU', 'NZ']

/** The Canary Islands (35001) are outside the area of VAT, and their number is on no invoice that a view has. */
function hasNumber(seller: Sale['seller']['address']): boolean {
  return seller !== null && NUMBERED.includes(seller.country) && seller.postal_code !== '35001'
}

/** The view as it is read for the rules of a category. */
export function invoiceFor(category: string, { view, lines }: SaleView, sale: Sale): Invoice {
  const rows = lines.flatMap((own, line) =>
    own.map((row) => ({
      ...row,
      line,
      where: line < sale.lines.length ? ('line' as const) : ('charge' as const),
    })),
  )
  return {
    view,
    rows,
    own: (of) => of.filter((row) => row.category === category),
    breakdown: view.breakdown.filter((row) => row.category === category),
    warns: (code, line) =>
      view.warnings.some((each) => each.code === code && (line === undefined || each.lines.includes(line))),
    nameless: !hasNumber(sale.seller.address),
  }
}

/**
 * GST of A-NZ PINT, whose rows need no reason and have the number in BT-30 (guidance GN11). The shipping of a
 * line with `foreign_tax` may have rows of both schemes.
 */
function isGst({ view, warns }: Invoice, line: number): boolean {
  return view.tax_scheme === 'GST' || warns('foreign_tax', line)
}

/** BR-x-01. Two reasons of one category need two invoices: the warning says so, and no view can. */
const oneRow: Holds = ({ own, rows, breakdown, warns }) =>
  breakdown.length === Math.min(own(rows).length, 1) || (own(rows).length > 1 && warns('several_exemptions'))

/** BR-S-01: at least one row. They are one for each rate, so BR-S-08 can hold. */
const oneRowEachRate: Holds = ({ own, rows, breakdown }) => {
  const rates = new Set(own(rows).map(({ rate_percent }) => rate_percent))
  return rates.size === breakdown.length && breakdown.every(({ rate_percent }) => rates.has(rate_percent))
}

const VAT_ID: readonly InvoiceTerm[] = ['BT-31']
const ANY: readonly InvoiceTerm[] = ['BT-31', 'BT-32']
const NO_VAT_ID: readonly InvoiceTerm[] = ['BT-32', 'BT-30']

/**
 * BR-x-02, BR-x-04. A seller whose country has no standard has no number, nor has one that is not known: the
 * caller adds its own (BT-63, BT-32). Category O needs none. The number of IOSS is on no invoice, and a seller
 * abroad has no other in the Union: none of its invoices is due.
 */
function sellerNumber(where: Where, allowed: readonly InvoiceTerm[]): Holds {
  return (invoice) =>
    invoice.own(invoice.rows).every((row) => {
      if (row.where !== where) return true
      const numbers = row.seller_registrations.map((index) => at(invoice.view.seller_registrations, index))
      const printed = numbers.filter((each) => each.printed)
      const terms = isGst(invoice, row.line) ? [...allowed, 'BT-30'] : allowed
      const hidden = numbers.some(({ scheme, printed: shown }) => scheme === 'ioss' && !shown)
      const named = printed.length > 0 || allowed === NO_VAT_ID || invoice.nameless || hidden
      return named && printed.every(({ term }) => term !== null && terms.includes(term))
    })
}

function needs(need: (typeof INVOICE_NEEDS)[number]): Holds {
  return ({ breakdown, view }) => breakdown.length === 0 || view.requires.includes(need)
}

/** BR-O-02 to BR-O-04 forbid BT-48. If another category needs it, the invoice has to be split. */
const needsNoBuyerId: Holds = ({ breakdown, view, warns }) =>
  breakdown.length === 0 || !view.requires.includes('buyer_vat_id') || warns('split_invoice')

function both(one: Holds, other: Holds): Holds {
  return (invoice) => one(invoice) && other(invoice)
}

/** BR-x-05, BR-x-07. */
function rate(where: Where, must: 'positive' | 'zero' | 'none'): Holds {
  return ({ own, rows }) =>
    own(rows).every(({ where: place, rate_percent }) => {
      if (place !== where) return true
      if (must === 'none' || rate_percent === null) return must === 'none' && rate_percent === null
      return must === 'zero' ? Number(rate_percent) === 0 : Number(rate_percent) > 0
    })
}

const sumOf = (rows: readonly RowView[]) => rows.reduce((sum, row) => sum + row.taxable_amount, 0)

/** BR-x-08: exact. */
const base: Holds = ({ own, rows, breakdown }) => sumOf(breakdown) === sumOf(own(rows))

const baseEachRate: Holds = ({ own, rows, breakdown }) =>
  breakdown.every(
    (row) =>
      row.taxable_amount === sumOf(own(rows).filter(({ rate_percent }) => rate_percent === row.rate_percent)),
  )

const noTax: Holds = ({ breakdown }) => breakdown.every(({ tax_amount }) => tax_amount === 0)

/** BR-S-09, BR-CO-17: less than 1.00 beside base × rate, or the view says that it is not. */
const taxOfRate: Holds = ({ breakdown, warns }) =>
  breakdown.every(
    ({ taxable_amount, rate_percent, tax_amount }) =>
      Math.abs(tax_amount - (taxable_amount * Number(rate_percent)) / 100) < 100.5 || warns('line_rounding'),
  )

const saysWhy = ({ exemption_code, exemption_text }: RowView) =>
  exemption_code !== null || exemption_text !== null

const noReason: Holds = ({ own, rows, breakdown }) => ![...breakdown, ...own(rows)].some(saysWhy)

/** BR-x-10. Why a line with `taxable: false` is exempt only the caller knows: the warning asks. */
const reason: Holds = (invoice) =>
  invoice
    .own(invoice.rows)
    .every((row) => saysWhy(row) || isGst(invoice, row.line) || invoice.warns('reason_unknown', row.line))

/** BR-O-11. No view can be two invoices: the warning names the lines of O. */
const alone: Holds = ({ breakdown, view, warns }) =>
  breakdown.length === 0 || breakdown.length === view.breakdown.length || warns('split_invoice')

/** BR-O-12, BR-O-14. Rows without a category are in no breakdown, and have a warning of their own. */
function aloneIn(where: Where): Holds {
  return ({ breakdown, rows, warns }) =>
    breakdown.length === 0 ||
    rows.every((row) => row.where !== where || row.category === null || row.category === 'O') ||
    warns('split_invoice')
}

/** BG-20. */
const NO_ALLOWANCE = 'A discount is on its line (BG-27), which has no category: a view has no allowance'
const NO_RATES =
  'The taxes of the Canary Islands, Ceuta and Melilla are not in the data: a view has no such row'

/** The 96 rules on nine categories: EN 16931-1, validation artefacts 1.3.16. */
export const CATEGORY_RULES: readonly CategoryRule[] = [
  { id: 'BR-S-01', category: 'S', holds: oneRowEachRate },
  { id: 'BR-S-02', category: 'S', holds: sellerNumber('line', ANY) },
  { id: 'BR-S-03', category: 'S', not_applicable: NO_ALLOWANCE },
  { id: 'BR-S-04', category: 'S', holds: sellerNumber('charge', ANY) },
  { id: 'BR-S-05', category: 'S', holds: rate('line', 'positive') },
  { id: 'BR-S-06', category: 'S', not_applicable: NO_ALLOWANCE },
  { id: 'BR-S-07', category: 'S', holds: rate('charge', 'positive') },
  { id: 'BR-S-08', category: 'S', holds: baseEachRate },
  { id: 'BR-S-09', category: 'S', holds: taxOfRate },
  { id: 'BR-S-10', category: 'S', holds: noReason },
  { id: 'BR-Z-01', category: 'Z', holds: oneRow },
  { id: 'BR-Z-02', category: 'Z', holds: sellerNumber('line', ANY) },
  { id: 'BR-Z-03', category: 'Z', not_applicable: NO_ALLOWANCE },
  { id: 'BR-Z-04', category: 'Z', holds: sellerNumber('charge', ANY) },
  { id: 'BR-Z-05', category: 'Z', holds: rate('line', 'zero') },
  { id: 'BR-Z-06', category: 'Z', not_applicable: NO_ALLOWANCE },
  { id: 'BR-Z-07', category: 'Z', holds: rate('charge', 'zero') },
  { id: 'BR-Z-08', category: 'Z', holds: base },
  { id: 'BR-Z-09', category: 'Z', holds: noTax },
  { id: 'BR-Z-10', category: 'Z', holds: noReason },
  { id: 'BR-E-01', category: 'E', holds: oneRow },
  { id: 'BR-E-02', category: 'E', holds: sellerNumber('line', ANY) },
  { id: 'BR-E-03', category: 'E', not_applicable: NO_ALLOWANCE },
  { id: 'BR-E-04', category: 'E', holds: sellerNumber('charge', ANY) },
  { id: 'BR-E-05', category: 'E', holds: rate('line', 'zero') },
  { id: 'BR-E-06', category: 'E', not_applicable: NO_ALLOWANCE },
  { id: 'BR-E-07', category: 'E', holds: rate('charge', 'zero') },
  { id: 'BR-E-08', category: 'E', holds: base },
  { id: 'BR-E-09', category: 'E', holds: noTax },
  { id: 'BR-E-10', category: 'E', holds: reason },
  { id: 'BR-AE-01', category: 'AE', holds: oneRow },
  { id: 'BR-AE-02', category: 'AE', holds: both(sellerNumber('line', ANY), needs('buyer_vat_id')) },
  { id: 'BR-AE-03', category: 'AE', not_applicable: NO_ALLOWANCE },
  { id: 'BR-AE-04', category: 'AE', holds: both(sellerNumber('charge', ANY), needs('buyer_vat_id')) },
  { id: 'BR-AE-05', category: 'AE', holds: rate('line', 'zero') },
  { id: 'BR-AE-06', category: 'AE', not_applicable: NO_ALLOWANCE },
  { id: 'BR-AE-07', category: 'AE', holds: rate('charge', 'zero') },
  { id: 'BR-AE-08', category: 'AE', holds: base },
  { id: 'BR-AE-09', category: 'AE', holds: noTax },
  { id: 'BR-AE-10', category: 'AE', holds: reason },
  { id: 'BR-IC-01', category: 'K', holds: oneRow },
  { id: 'BR-IC-02', category: 'K', holds: both(sellerNumber('line', VAT_ID), needs('buyer_vat_id')) },
  { id: 'BR-IC-03', category: 'K', not_applicable: NO_ALLOWANCE },
  { id: 'BR-IC-04', category: 'K', holds: both(sellerNumber('charge', VAT_ID), needs('buyer_vat_id')) },
  { id: 'BR-IC-05', category: 'K', holds: rate('line', 'zero') },
  { id: 'BR-IC-06', category: 'K', not_applicable: NO_ALLOWANCE },
  { id: 'BR-IC-07', category: 'K', holds: rate('charge', 'zero') },
  { id: 'BR-IC-08', category: 'K', holds: base },
  { id: 'BR-IC-09', category: 'K', holds: noTax },
  { id: 'BR-IC-10', category: 'K', holds: reason },
  { id: 'BR-IC-11', category: 'K', holds: needs('delivery_date') },
  { id: 'BR-IC-12', category: 'K', holds: needs('delivery_country') },
  { id: 'BR-G-01', category: 'G', holds: oneRow },
  { id: 'BR-G-02', category: 'G', holds: sellerNumber('line', VAT_ID) },
  { id: 'BR-G-03', category: 'G', not_applicable: NO_ALLOWANCE },
  { id: 'BR-G-04', category: 'G', holds: sellerNumber('charge', VAT_ID) },
  { id: 'BR-G-05', category: 'G', holds: rate('line', 'zero') },
  { id: 'BR-G-06', category: 'G', not_applicable: NO_ALLOWANCE },
  { id: 'BR-G-07', category: 'G', holds: rate('charge', 'zero') },
  { id: 'BR-G-08', category: 'G', holds: base },
  { id: 'BR-G-09', category: 'G', holds: noTax },
  { id: 'BR-G-10', category: 'G', holds: reason },
  { id: 'BR-O-01', category: 'O', holds: oneRow },
  { id: 'BR-O-02', category: 'O', holds: both(sellerNumber('line', NO_VAT_ID), needsNoBuyerId) },
  { id: 'BR-O-03', category: 'O', not_applicable: NO_ALLOWANCE },
  { id: 'BR-O-04', category: 'O', holds: both(sellerNumber('charge', NO_VAT_ID), needsNoBuyerId) },
  { id: 'BR-O-05', category: 'O', holds: rate('line', 'none') },
  { id: 'BR-O-06', category: 'O', not_applicable: NO_ALLOWANCE },
  { id: 'BR-O-07', category: 'O', holds: rate('charge', 'none') },
  { id: 'BR-O-08', category: 'O', holds: base },
  { id: 'BR-O-09', category: 'O', holds: noTax },
  { id: 'BR-O-10', category: 'O', holds: reason },
  { id: 'BR-O-11', category: 'O', holds: alone },
  { id: 'BR-O-12', category: 'O', holds: aloneIn('line') },
  { id: 'BR-O-13', category: 'O', not_applicable: NO_ALLOWANCE },
  { id: 'BR-O-14', category: 'O', holds: aloneIn('charge') },
  { id: 'BR-AF-01', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-02', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-03', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-04', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-05', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-06', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-07', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-08', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-09', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AF-10', category: 'L', not_applicable: NO_RATES },
  { id: 'BR-AG-01', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-02', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-03', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-04', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-05', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-06', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-07', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-08', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-09', category: 'M', not_applicable: NO_RATES },
  { id: 'BR-AG-10', category: 'M', not_applicable: NO_RATES },
]
