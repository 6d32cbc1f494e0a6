import {
  apartFromLate,
  boxOf,
  type FilingRow,
  type Filled,
  givenBox,
  isExportOf,
  isSuppliedIn,
  knownOr,
  type Measure,
  NET,
  plainBox,
  sumIfKnown,
  sumOf,
  TAXABLE,
} from '../rows/figures.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

const PROVINCIAL = [
  ['CA-QC', 'QST', 'Québec sales tax (return FPZ-500)'],
  ['CA-BC', 'BC PST', 'British Columbia provincial sales tax'],
  ['CA-SK', 'SK PST', 'Saskatchewan provincial sales tax'],
  ['CA-MB', 'MB RST', 'Manitoba retail sales tax'],
] as const

/** An export bears no GST/HST; the tax of its destination is not on this form. */
const FEDERAL: Measure = (row) => (isSuppliedIn('CA', row) ? row.tax_amount - row.provincial_tax_amount : 0)

/** The GST/HST return of Canada (form GST34), and the taxes that provinces collect themselves. */
export const caGst34 = {
  ...NETS_REFUNDS,
  type: 'ca_gst34',
  currency: 'CAD',
  periods: ANY_PERIOD,
  // The Bank of Canada's rate of the day of the sale, or of the business day before it (Excise Tax Act,
  // s. 159; GST/HST Memorandum 3-6). The Agency does not name the rates of other central banks.
  exchange: { series: 'boc', at: 'day' },
  given_boxes: ['106'],
  tax: FEDERAL,
  concerns: (row) => isSuppliedIn('CA', row) || isExportOf('CA', row),
  fill: fillCaGst34,
} as const satisfies Form

const GIVEN_BACK: Measure = (row) => -FEDERAL(row)
const PROVINCIAL_TAX: Measure = (row) => row.provincial_tax_amount

const CREDITS = 'Needs the tax on your purchases, which this service does not know'

function fillCaGst34(given: readonly FilingRow[], { period, boxes }: FilingScope): Filled {
  const { rows: all, late } = apartFromLate(given)
  // A refund of tax that an earlier return reported is an adjustment (Excise Tax Act, s. 232(3)).
  const isEarlier = ({ sold_in }: FilingRow) => sold_in < period.from.slice(0, 7)
  const earlier = all.filter(isEarlier)
  const rows = all.filter((row) => !isEarlier(row))
  const added = late.filter((row) => sumOf([row], FEDERAL) > 0)
  const deducted = [...earlier, ...late.filter((row) => sumOf([row], FEDERAL) < 0)]
  const collected = sumOf(rows, FEDERAL)
  const [plus, minus] = [sumOf(added, FEDERAL), sumOf(deducted, GIVEN_BACK)]
  const credits = sumIfKnown(boxes.get('106') ?? null, minus)
  const net = sumIfKnown(collected + plus, credits === null ? null : -credits)
  const provincial = PROVINCIAL.map(([place, box, name]) =>
    boxOf(
      box,
      name,
      all.filter((row) => row.place_of_supply === place),
      PROVINCIAL_TAX,
    ),
  )
  return {
    boxes: [
      boxOf('101', 'Sales and other revenue', rows, NET),
      boxOf('103', 'GST/HST collected or collectible', rows, FEDERAL),
      boxOf('104', 'Adjustments to be added to the net tax', added, FEDERAL, {
        note: 'Late entries of filed periods; not bad debts recovered, which sales alone do not determine',
      }),
      plainBox('105', 'Total GST/HST and adjustments for the period', collected + plus, 'Lines 103 and 104'),
      givenBox(boxes, { box: '106', name: 'Input tax credits for the period', unknown: CREDITS }),
      boxOf('107', 'Adjustments to be deducted from the net tax', deducted, GIVEN_BACK, {
        note: 'GST/HST of refunds of sales in earlier periods; not bad debts',
      }),
      knownOr('108', 'Total input tax credits and adjustments', credits, 'Needs line 106'),
      knownOr('109', 'Net tax (line 105 less line 108)', net, 'Needs line 108'),
      ...provincial,
    ],
    supplies: [],
    notes: [
      'Refunds of sales in the period are subtracted on lines 101 and 103; other refunds are on line 107',
    ],
    totals: {
      taxable_amount: sumOf(
        rows.filter((row) => isSuppliedIn('CA', row)),
        TAXABLE,
      ),
      tax_amount: collected,
      tax_due: collected + plus - minus,
    },
  }
}
