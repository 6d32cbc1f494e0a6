import {
  boxOf,
  type FilingRow,
  type Filled,
  givenBox,
  grossOf,
  isExportOf,
  isSuppliedIn,
  type Measure,
  NET,
  sumOf,
  TAX,
  taxOf,
  formTotals,
} from '../rows/figures.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

/** The form takes whole dollars. Cents are cut off (ATO, Complete your BAS). */
const WHOLE_DOLLARS = { unit: 100 }

const PURCHASES = 'Needs your purchases, which this service does not know: give it'

/** Sales without GST that are not GST-free: input-taxed ones, and those of a seller who does not collect. */
const NOT_GST_FREE = new Set([
  'export',
  'product_exempt',
  'not_collecting',
  'not_subject_to_tax',
  'reverse_charge',
])

/**
 * Sales that are on no statement of the seller: the operator of the platform makes them (GST Act 1999,
 * s. 84-60), or the seller is not registered.
 */
const NOT_OF_THE_SELLER = new Set(['marketplace_collects', 'small_business'])

/** The labels of Australia's business activity statement that sales determine (ATO, form NAT 4189). */
export const auBas = {
  ...NETS_REFUNDS,
  type: 'au_bas',
  currency: 'AUD',
  periods: ANY_PERIOD,
  // A rate that another central bank publishes, of the day of the sale, also for its refunds (Goods and
  // Services Tax: Foreign Currency Conversion Determination; GSTR 2001/2).
  exchange: { series: 'ecb', at: 'day' },
  // The annual tax period is the financial year (s. 151-40).
  year_starts_in: 7,
  given_boxes: ['G10', 'G11', '1B'],
  tax: taxOf('AU'),
  concerns: (row) => (isSuppliedIn('AU', row) || isExportOf('AU', row)) && !NOT_OF_THE_SELLER.has(row.reason),
  fill: fillAuBas,
} as const satisfies Form

const UNTAXED: Measure = (row) => NET(row) - row.taxable_amount

/** An export bears no GST; the tax of its destination is not on this form. */
const GROSS_OF_GST = grossOf('AU')

function fillAuBas(rows: readonly FilingRow[], { boxes }: FilingScope): Filled {
  const isHere = (row: FilingRow) => isSuppliedIn('AU', row)
  const here = rows.filter(isHere)
  const exports = rows.filter((row) => isExportOf('AU', row))
  const free = here.filter(({ reason }) => !NOT_GST_FREE.has(reason))
  const gst = sumOf(here, TAX)
  const given = (box: string, name: string) =>
    givenBox(boxes, { box, name, unknown: PURCHASES, ...WHOLE_DOLLARS })
  return {
    boxes: [
      boxOf('G1', 'Total sales, including GST and exports', rows, GROSS_OF_GST, WHOLE_DOLLARS),
      boxOf('G2', 'Export sales', exports, NET, WHOLE_DOLLARS),
      boxOf('G3', 'Other GST-free sales', free, UNTAXED, {
        ...WHOLE_DOLLARS,
        note: 'Without exports, which are at G2, and without input-taxed sales',
      }),
      given('G10', 'Capital purchases'),
      given('G11', 'Non-capital purchases'),
      boxOf('1A', 'GST on sales', here, TAX, WHOLE_DOLLARS),
      given('1B', 'GST on purchases'),
    ],
    supplies: [],
    notes: [
      'Amounts in cents; the form takes whole dollars, without cents: form_amount',
      'Refunds made in the period reduce G1 and 1A. If you report decreasing adjustments at G18 and ' +
        '1B, add them back: net GST is the same',
    ],
    totals: formTotals(here, gst),
  }
}
