import { multiplyAndDivideBig } from '../../tax/arithmetic/rounding.ts'
import {
  type Box,
  type FilingPeriod,
  type FilingRow,
  isSuppliedIn,
  sumAfterRefunds,
  type Return,
  transactionsUrl,
} from './figures.ts'
import type { Form } from './form.ts'

/** The form counts exports as zero-rated, too: their place of supply is New Zealand. */
const ZERO_RATED = new Set(['zero_rated', 'export'])

/** From this day GST is 15 %, which is 3/23 of a price with GST. Before, it is 1/9 of the price. */
const FIFTEEN_PERCENT_FROM = '2010-10-01'

const PURCHASES = 'Needs your purchases, which this service does not know'

/**
 * The goods and services tax return of New Zealand, boxes 5 to 15 (Inland Revenue, form GST101A). In cents.
 */
export const nzGst101a = {
  type: 'nz_gst101a',
  currency: 'NZD',
  periods: ['month'],
  concerns: (row) => isSuppliedIn('NZ', row),
  fill,
} as const satisfies Form

function fill(rows: readonly FilingRow[], period: FilingPeriod): Return {
  const taxed = rows.filter((row) => row.tax_rate > 0)
  const zeroRated = sumAfterRefunds(
    rows.filter((row) => ZERO_RATED.has(row.reason)),
    'net_amount',
  )
  const withGst = sumAfterRefunds(taxed, 'net_amount') + sumAfterRefunds(taxed, 'tax_amount')
  const [numerator, denominator] = period.from < FIFTEEN_PERCENT_FROM ? [1n, 9n] : [3n, 23n]
  const gst = multiplyAndDivideBig(BigInt(withGst), numerator, denominator)
  const url = transactionsUrl(period, { place_of_supply: 'NZ' })
  const sold = (box: string, name: string, amount: number, note: string | null = null): Box => {
    return { box, name, amount, note, transactions_url: url }
  }
  const unknown = (box: string, name: string, note: string): Box => {
    return { box, name, amount: null, note, transactions_url: null }
  }
  const charged = sumAfterRefunds(taxed, 'tax_amount')
  return {
    boxes: [
      sold(
        '5',
        'Total sales and income for the period, including GST and zero-rated supplies',
        withGst + zeroRated,
      ),
      sold('6', 'Zero-rated supplies included in box 5', zeroRated),
      sold('7', 'Box 5 less box 6', withGst),
      sold(
        '8',
        'Box 7 multiplied by 3 and divided by 23',
        gst,
        gst === charged ? null : `The invoices add up to ${charged}, because each line is rounded by itself`,
      ),
      unknown('9', 'Adjustments from the calculation sheet', 'Sales alone do not determine adjustments'),
      sold('10', 'Total GST collected on sales and income', gst, 'Box 8 without the adjustments of box 9'),
      unknown('11', 'Total purchases and expenses, including GST', PURCHASES),
      unknown('12', 'Box 11 multiplied by 3 and divided by 23', PURCHASES),
      unknown('13', 'Credit adjustments from the calculation sheet', PURCHASES),
      unknown('14', 'Total GST credit for purchases and expenses', PURCHASES),
      unknown('15', 'The difference between box 10 and box 14', 'Needs box 14'),
    ],
    supplies: [],
    corrections: [],
    notes: [
      'The boxes do not contain exempt supplies or supplies that a registered customer accounts for',
      'If you file every two or six months, add up the months',
    ],
  }
}
