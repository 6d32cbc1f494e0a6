import type { z } from 'zod'
import { dayAfter } from '../../src/calendar.ts'
import type { TransactionsAnswer } from '../../src/transactions/answers.ts'
import { linkTo } from '../address.ts'
import { callApi, type Query } from '../api.ts'
import { formatMoney, todayInZone } from '../format.ts'
import { Part } from '../parts/parts.tsx'
import { type Column, PagedTable, type PageOfRows } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'
import { may } from '../scopes.ts'
import type { Certificate } from './state.ts'

type ListedSale = z.output<typeof TransactionsAnswer>['transactions'][number]

/** How many pages without a match one click reads, before the user decides to go on. */
const EMPTY_PAGES = 5

/** The sales that rest on a certificate, and those of its places that rest on none since it ended. */
export function SalesOf({ customer_id, of }: { customer_id: string; of: Certificate }) {
  if (!may('transactions:read')) return null
  const { id, jurisdiction_id } = of
  const last = of.ended_on ?? of.valid_to
  const ended = last !== null && last < todayInZone()
  const isThere = (sale: ListedSale) =>
    sale.jurisdiction_id === jurisdiction_id || sale.jurisdiction_id.startsWith(`${jurisdiction_id}-`)
  return (
    <>
      <List
        title="Sales that used it"
        none="No sale of the customer used it."
        of={{ customer_id, exemption_id: id }}
      />
      {ended && (
        <List
          title="Sales without a certificate since it ended"
          none="Each sale there used another certificate, or there was no sale."
          of={{ customer_id, exemption_id: 'none', from_date: dayAfter(last) }}
          only={isThere}
        />
      )}
    </>
  )
}

const COLUMNS: readonly Column<ListedSale>[] = [
  { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
  { head: 'Date', keep: true, cell: (sale) => <Day at={sale.transaction_date} /> },
  { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
  { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
]

type ListProps = { title: string; none: string; of: Query; only?: (sale: ListedSale) => boolean }

function List({ title, none, of, only = () => true }: ListProps) {
  return (
    <Part title={title}>
      <PagedTable
        caption={title}
        inside
        of={JSON.stringify(of)}
        href={(sale: ListedSale) => linkTo('transactions', { id: sale.id })}
        empty={{ title: 'None', text: none }}
        columns={COLUMNS}
        read={(cursor, limit) => readPage(of, only, cursor, limit)}
      />
    </Part>
  )
}

async function readPage(
  of: Query,
  only: (sale: ListedSale) => boolean,
  cursor: string | null,
  limit: number,
): Promise<PageOfRows<ListedSale>> {
  let next_cursor = cursor
  for (let pages = 0; ; pages += 1) {
    const query = { ...of, limit: String(limit), cursor: next_cursor }
    const path = '/v1/transactions'
    const page = await callApi<z.output<typeof TransactionsAnswer>>('GET', path, { query })
    next_cursor = page.next_cursor
    const rows = page.transactions.filter(only)
    if (rows.length > 0 || next_cursor === null || pages === EMPTY_PAGES)
      return { rows, total: null, next_cursor }
  }
}
