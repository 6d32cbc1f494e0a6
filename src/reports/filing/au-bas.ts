import {
  boxOf,
  type FilingRow,
  type Filled,
  grossOf,
  isExportedFrom,
  isSuppliedIn,
  type Measure,
  NET,
  sumAfterRefunds,
  sumOf,
  TAX,
} from './figures.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

/** The form takes whole dollars. Cents are cut off (ATO, Complete your BAS). */
const WHOLE_DOLLARS = { unit: 100 }

/** Sales without GST that are not GST-free: input-taxed ones, and those of a seller who does not collect. */
const NOT_GST_FREE = new Set([
  'export',
  'product_exempt',
  'not_collecting',
  'not_subject_to_tax',
  'reverse_charge',
])

/** The labels of Australia's business activity statement that sales determine (ATO, form NAT 4189). */
export const auBas = {
  ...NETS_REFUNDS,
  type: 'au_bas',
  currency: 'AUD',
  periods: ANY_PERIOD,
  concerns: (row) => isSuppliedIn('AU', row) || isExportedFrom('AU', row),
  fill,
} as const satisfies Form

const UNTAXED: Measure = (row) => row.net_amount - row.taxable_amount

function fill(all: readonly FilingRow[], _scope: FilingScope, late: readonly FilingRow[]): Filled {
  // Goods that leave Australia are exports, even if their destination taxes them.
  const rows = all.filter((row) => isSuppliedIn('AU', row))
  const exports = all.filter((row) => row.reason === 'export' || isExportedFrom('AU', row))
  const free = rows.filter(({ reason }) => !NOT_GST_FREE.has(reason))
  const gst = sumOf(rows, TAX)
  return {
    boxes: [
      boxOf('G1', 'Total sales, including GST and exports', all, grossOf('AU'), WHOLE_DOLLARS),
      boxOf('G2', 'Export sales', exports, NET, WHOLE_DOLLARS),
      boxOf('G3', 'Other GST-free sales', free, UNTAXED, {
        ...WHOLE_DOLLARS,
        note: 'Without exports, which are at G2, and without input-taxed sales',
      }),
      boxOf('1A', 'GST on sales', rows, TAX, WHOLE_DOLLARS),
    ],
    supplies: [],
    notes: ['Amounts in cents; the form takes whole dollars, without cents: form_amount'],
    totals: {
      taxable_amount: sumAfterRefunds(rows, 'taxable_amount'),
      tax_amount: gst,
      tax_due: gst + sumOf(late, TAX),
    },
  }
}
