import { multiplyAndDivideBig } from '../../engine/arithmetic/rounding.ts'
import {
  boxOf,
  formTotals,
  type FilingRow,
  type Filled,
  type GivenBoxes,
  givenBox,
  GROSS,
  grossOf,
  isExportOf,
  isSuppliedIn,
  knownOr,
  NET,
  plainBox,
  sumIfKnown,
  sumOf,
  TAX,
  taxOf,
} from '../rows/figures.ts'
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
  given_boxes: ['9', '11', '13'],
  tax: taxOf('NZ'),
  concerns: (row) => isSuppliedIn('NZ', row) || isExportOf('NZ', row),
  fill: fillNzGst101a,
} as const satisfies Form

/** The tax of a destination abroad is not on this form. */
const GROSS_OF_GST = grossOf('NZ')

function fillNzGst101a(rows: readonly FilingRow[], { standardRateOf, boxes }: FilingScope): Filled {
  const isHere = (row: FilingRow) => isSuppliedIn('NZ', row)
  const taxed = rows.filter((row) => isHere(row) && row.tax_rate > 0)
  // The form counts exports as zero-rated, too.
  const zeroRated = rows.filter((row) => row.reason === 'zero_rated' || isExportOf('NZ', row))
  const { numerator, denominator } = taxFractionOf(standardRateOf('NZ'))
  const gst = multiplyAndDivideBig(BigInt(sumOf(taxed, GROSS)), BigInt(numerator), BigInt(denominator))
  const charged = sumOf(taxed, TAX)
  const times = `multiplied by ${numerator} and divided by ${denominator}`
  const given = (box: string, name: string, unknown: string) => givenBox(boxes, { box, name, unknown })
  const collected = gst + (boxes.get('9') ?? 0)
  const purchases = boxes.get('11')
  const input =
    purchases === undefined
      ? null
      : multiplyAndDivideBig(BigInt(purchases), BigInt(numerator), BigInt(denominator))
  const credit = input === null ? null : sumIfKnown(input, boxes.get('13') ?? 0)
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
      given('9', 'Adjustments from the calculation sheet', 'Sales alone do not determine adjustments'),
      plainBox(
        '10',
        'Total GST collected on sales and income',
        collected,
        boxes.has('9') ? null : 'Box 8 without the adjustments of box 9',
      ),
      given('11', 'Total purchases and expenses, including GST', PURCHASES),
      knownOr('12', `Box 11 ${times}`, input, 'Needs box 11'),
      given('13', 'Credit adjustments from the calculation sheet', PURCHASES),
      plainBox('14', 'Total GST credit for purchases and expenses', credit, creditNote(boxes)),
      knownOr(
        '15',
        'The difference between box 10 and box 14',
        credit === null ? null : sumIfKnown(collected, -credit),
        'Needs box 14',
      ),
    ],
    supplies: [],
    notes: [
      'Credit notes of the period reduce box 5. If you claim them in box 13 as Inland Revenue shows ' +
        'it, add them back to box 5: the GST to pay is the same',
      'The boxes do not contain exempt supplies or supplies that a registered customer accounts for',
      'Periods of two or six months are written as 2026-08..2026-09',
    ],
    totals: formTotals(taxed, gst),
  }
}

function creditNote(boxes: GivenBoxes): string | null {
  if (!boxes.has('11')) return 'Needs box 11'
  return boxes.has('13') ? null : 'Box 12 without the adjustments of box 13'
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
