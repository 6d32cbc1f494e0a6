import { multiplyAndDivideBig } from '../../tax/arithmetic/rounding.ts'
import {
  boxOf,
  formTotals,
  type FilledBox,
  type FilingRow,
  type Filled,
  GROSS,
  grossOf,
  isExportOf,
  isSuppliedIn,
  NET,
  plainBox,
  sumOf,
  TAX,
} from './figures.ts'
import { type FilingScope, type Form, NETS_REFUNDS } from './form.ts'

const PURCHASES = 'Needs your purchases, which this service does not know'

/**
 * The goods and services tax return of New Zealand, boxes 5 to 15 (Inland Revenue, form GST101A). In cents.
 */
export const nzGst101a = {
  ...NETS_REFUNDS,
  type: 'nz_gst101a',
  currency: 'NZD',
  periods: ['month', 'months'],
  // The rate at the time of supply (Goods and Services Tax Act 1985, s. 77(1)). Inland Revenue accepts that
  // of another country's central bank (determination FX 21/01).
  exchange: { series: 'ecb', at: 'day' },
  concerns: (row) => isSuppliedIn('NZ', row) || isExportOf('NZ', row),
  fill: fillNzGst101a,
} as const satisfies Form

/** The tax of a destination abroad is not on this form. */
const GROSS_OF_GST = grossOf('NZ')

function fillNzGst101a(
  rows: readonly FilingRow[],
  { standardRateOf }: FilingScope,
  all_late: readonly FilingRow[],
): Filled {
  const isHere = (row: FilingRow) => isSuppliedIn('NZ', row)
  const taxed = rows.filter((row) => isHere(row) && row.tax_rate > 0)
  // The form counts exports as zero-rated, too.
  const zeroRated = rows.filter((row) => row.reason === 'zero_rated' || isExportOf('NZ', row))
  const { numerator, denominator } = taxFractionOf(standardRateOf('NZ'))
  const gst = multiplyAndDivideBig(BigInt(sumOf(taxed, GROSS)), BigInt(numerator), BigInt(denominator))
  const charged = sumOf(taxed, TAX)
  const times = `multiplied by ${numerator} and divided by ${denominator}`
  const unknown = (box: string, name: string, note: string): FilledBox => plainBox(box, name, null, note)
  return {
    boxes: [
      boxOf(
        '5',
        'Total sales and income for the period, including GST and zero-rated supplies',
        [...taxed, ...zeroRated],
        GROSS_OF_GST,
      ),
      boxOf('6', 'Zero-rated supplies included in box 5', zeroRated, NET),
      boxOf('7', 'Box 5 less box 6', taxed, GROSS),
      plainBox(
        '8',
        `Box 7 ${times}`,
        gst,
        gst === charged ? null : `The invoices add up to ${charged}, because each line is rounded by itself`,
      ),
      unknown('9', 'Adjustments from the calculation sheet', 'Sales alone do not determine adjustments'),
      plainBox(
        '10',
        'Total GST collected on sales and income',
        gst,
        'Box 8 without the adjustments of box 9',
      ),
      unknown('11', 'Total purchases and expenses, including GST', PURCHASES),
      unknown('12', `Box 11 ${times}`, PURCHASES),
      unknown('13', 'Credit adjustments from the calculation sheet', PURCHASES),
      unknown('14', 'Total GST credit for purchases and expenses', PURCHASES),
      unknown('15', 'The difference between box 10 and box 14', 'Needs box 14'),
    ],
    supplies: [],
    notes: [
      'Credit notes of the period lessen box 5. If you claim them in box 13 as Inland Revenue shows it, ' +
        'add them back to box 5: the GST to pay is the same',
      'The boxes do not contain exempt supplies or supplies that a registered customer accounts for',
      'Periods of two or six months are written as 2026-08..2026-09',
    ],
    totals: formTotals(taxed, gst, all_late.filter(isHere)),
  }
}

/**
 * The tax fraction of GST Act 1985, s. 2(1): the share of the tax in a price with tax. 3/23 for a rate of
 * 15 %, given in millionths.
 */
function taxFractionOf(rate: number): { numerator: number; denominator: number } {
  const price = 1_000_000 + rate
  const common = greatestCommonDivisor(rate, price)
  return { numerator: rate / common, denominator: price / common }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
