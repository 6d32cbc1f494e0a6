import {
  type Box,
  type FilingPeriod,
  type FilingRow,
  isSuppliedIn,
  sumAfterRefunds,
  type Return,
  transactionsUrl,
} from './figures.ts'
import { ANY_PERIOD, type Form } from './form.ts'

const PROVINCIAL = [
  ['CA-QC', 'QST', 'Québec sales tax (return FPZ-500)'],
  ['CA-BC', 'BC PST', 'British Columbia provincial sales tax'],
  ['CA-SK', 'SK PST', 'Saskatchewan provincial sales tax'],
  ['CA-MB', 'MB RST', 'Manitoba retail sales tax'],
] as const

/** The GST/HST return of Canada (form GST34), and the taxes that provinces collect themselves. */
export const caGst34 = {
  type: 'ca_gst34',
  currency: 'CAD',
  periods: ANY_PERIOD,
  concerns: (row) => isSuppliedIn('CA', row),
  fill,
} as const satisfies Form

function fill(rows: readonly FilingRow[], period: FilingPeriod): Return {
  const federal = sumAfterRefunds(rows, 'tax_amount') - sumAfterRefunds(rows, 'provincial_tax_amount')
  const url = transactionsUrl(period, { place_of_supply: 'CA' })
  const boxes: Box[] = [
    {
      box: '101',
      name: 'Sales and other revenue',
      amount: sumAfterRefunds(rows, 'net_amount'),
      note: null,
      transactions_url: url,
    },
    {
      box: '103',
      name: 'GST/HST collected or collectible',
      amount: federal,
      note: null,
      transactions_url: url,
    },
    {
      box: '105',
      name: 'Total GST/HST and adjustments for the period',
      amount: federal,
      note: 'Line 103 without the adjustments of line 104, which sales alone do not determine',
      transactions_url: url,
    },
  ]
  for (const [place, box, name] of PROVINCIAL) {
    const own = rows.filter((row) => row.place_of_supply === place)
    boxes.push({
      box,
      name,
      amount: sumAfterRefunds(own, 'provincial_tax_amount'),
      note: null,
      transactions_url: transactionsUrl(period, { place_of_supply: place }),
    })
  }
  return { boxes, supplies: [], corrections: [], notes: ['Refunds made in the period are subtracted'] }
}
