import { type FilingPeriod, type FilingRow, remaining, type Return, transactionsUrl } from './figures.ts'

/**
 * The labels of Australia's business activity statement that sales tell (ATO, form NAT 4189). In cents; the
 * form takes whole dollars.
 */
export function auBas(rows: readonly FilingRow[], period: FilingPeriod): Return {
  const here = rows.filter((row) => row.place_of_supply === 'AU')
  const net = remaining(here, 'net_amount')
  const tax = remaining(here, 'tax_amount')
  const url = transactionsUrl(period, { place_of_supply: 'AU' })
  return {
    boxes: [
      { box: 'G1', name: 'Total sales, including GST', amount: net + tax, note: null, transactions_url: url },
      {
        box: 'G3',
        name: 'Other GST-free sales',
        amount: net - remaining(here, 'taxable_amount'),
        note: 'Exports, which the form asks for at G2, are not in it where the place of supply is abroad',
        transactions_url: url,
      },
      { box: '1A', name: 'GST on sales', amount: tax, note: null, transactions_url: url },
    ],
    supplies: [],
    corrections: [],
    notes: ['Amounts in cents; the form takes whole dollars'],
  }
}
