import {
  type FilingPeriod,
  type FilingRow,
  isSuppliedIn,
  sumAfterRefunds,
  type Return,
  transactionsUrl,
} from './figures.ts'
import { ANY_PERIOD, type Form } from './form.ts'

/**
 * The labels of Australia's business activity statement that sales determine (ATO, form NAT 4189). In cents;
 * the form takes whole dollars.
 */
export const auBas = {
  type: 'au_bas',
  currency: 'AUD',
  periods: ANY_PERIOD,
  concerns: (row) => isSuppliedIn('AU', row),
  fill,
} as const satisfies Form

function fill(rows: readonly FilingRow[], period: FilingPeriod): Return {
  const net = sumAfterRefunds(rows, 'net_amount')
  const tax = sumAfterRefunds(rows, 'tax_amount')
  const url = transactionsUrl(period, { place_of_supply: 'AU' })
  return {
    boxes: [
      { box: 'G1', name: 'Total sales, including GST', amount: net + tax, note: null, transactions_url: url },
      {
        box: 'G3',
        name: 'Other GST-free sales',
        amount: net - sumAfterRefunds(rows, 'taxable_amount'),
        note: 'Does not contain exports whose place of supply is abroad; the form asks for exports at G2',
        transactions_url: url,
      },
      { box: '1A', name: 'GST on sales', amount: tax, note: null, transactions_url: url },
    ],
    supplies: [],
    corrections: [],
    notes: ['Amounts in cents; the form takes whole dollars'],
  }
}
