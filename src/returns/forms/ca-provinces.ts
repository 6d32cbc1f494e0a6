import {
  apartFromLate,
  boxOf,
  type FilingRow,
  type Filled,
  givenBox,
  knownOr,
  type Measure,
  NET,
  sumIfKnown,
  sumOf,
  TAXABLE,
} from '../rows/figures.ts'
import { ANY_PERIOD, type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

/** The part of the tax that a province collects itself. */
const PROVINCIAL: Measure = (row) => row.provincial_tax_amount

const NAMES = 'The boxes have names of this service, because the form’s own names are not in the data'
const COMMISSION =
  'The commission or vendor’s compensation of the province is not in the data: take it off on the form'

/** The provincial sales tax return of a province, beside the GST/HST return. */
function provincialReturn<Type extends string>(type: Type, place: string, tax: string) {
  return {
    ...NETS_REFUNDS,
    type,
    currency: 'CAD',
    periods: ANY_PERIOD,
    // The provinces follow the Excise Tax Act here, s. 159.
    exchange: { series: 'boc', at: 'day' },
    tax: PROVINCIAL,
    concerns: (row: FilingRow) => row.place_of_supply === place,
    fill: (all: readonly FilingRow[]): Filled => {
      const { rows, late } = apartFromLate(all)
      return {
        boxes: [
          boxOf('sales', 'Sales in the province, without tax', rows, NET),
          boxOf('tax', `${tax} on sales`, rows, PROVINCIAL),
          boxOf('late', `${tax} of corrections of filed periods`, late, PROVINCIAL),
        ],
        supplies: [],
        notes: [NAMES, COMMISSION, 'Tax on your own purchases and use is not in the return'],
        totals: totalsOf(rows, late),
      }
    },
  } as const satisfies Form
}

function totalsOf(rows: readonly FilingRow[], late: readonly FilingRow[]): NonNullable<Filled['totals']> {
  const tax_amount = sumOf(rows, PROVINCIAL)
  const tax_due = tax_amount + sumOf(late, PROVINCIAL)
  return { taxable_amount: sumOf(rows, TAXABLE), tax_amount, tax_due }
}

/** British Columbia: Provincial Sales Tax Act, form FIN 400. */
export const caBcPst = provincialReturn('ca_bc_pst', 'CA-BC', 'PST')
/** Saskatchewan: The Provincial Sales Tax Act. */
export const caSkPst = provincialReturn('ca_sk_pst', 'CA-SK', 'PST')
/** Manitoba: The Retail Sales Tax Act. */
export const caMbRst = provincialReturn('ca_mb_rst', 'CA-MB', 'RST')

const CREDITS = 'Needs the tax on your purchases, which this service does not know: give it'

/** Québec: Act respecting the Québec sales tax, form FPZ-500, without its part about the GST. */
export const caQst = {
  ...provincialReturn('ca_qst', 'CA-QC', 'QST'),
  given_boxes: ['ITR'],
  fill: (all: readonly FilingRow[], { boxes }: FilingScope): Filled => {
    const { rows, late } = apartFromLate(all)
    const totals = totalsOf(rows, late)
    const refunds = boxes.get('ITR')
    const net = sumIfKnown(totals.tax_due, refunds === undefined ? null : -refunds)
    return {
      boxes: [
        boxOf('sales', 'Supplies in Québec, without tax', rows, NET),
        boxOf('tax', 'QST collected or collectible', rows, PROVINCIAL),
        boxOf('late', 'QST of corrections of filed periods', late, PROVINCIAL),
        givenBox(boxes, { box: 'ITR', name: 'Input tax refunds', unknown: CREDITS }),
        knownOr('net', 'QST to pay or to be refunded', net, 'Needs ITR'),
      ],
      supplies: [],
      notes: [NAMES],
      totals,
    }
  },
} as const satisfies Form
