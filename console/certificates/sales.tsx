import type { Exemption, ListedTransaction } from '../../client/src/schema.ts'
import { dayAfter } from '../../src/calendar.ts'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { type PageQuery, type Query, read } from '../api.ts'
import { formatMoney, todayInZone } from '../format.ts'
import { Day, Part } from '../parts/parts.tsx'
import { type Column, PagedTable } from '../parts/table.tsx'

/** The sales that rest on a certificate, and those of its places that rest on none since it ended. */
export function SalesOf({ customer_id, of }: { customer_id: string; of: Exemption }) {
  if (!may('transactions:read')) return null
  const { id, jurisdiction_id } = of
  const last = of.ended_on ?? of.valid_to
  const ended = last !== null && last < todayInZone()
  const used = { customer_id, exemption_id: id }
  const isThere = (sale: ListedTransaction) =>
    sale.jurisdiction_id === jurisdiction_id || sale.jurisdiction_id.startsWith(`${jurisdiction_id}-`)
  return (
    <>
      <List title="Sales that used it" none="No sale of the customer used it." of={used} />
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

const COLUMNS: readonly Column<ListedTransaction>[] = [
  { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
  { head: 'Date', keep: true, cell: (sale) => <Day at={sale.transaction_date} /> },
  { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
  { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
]

type ListProps = { title: string; none: string; of: Query; only?: (sale: ListedTransaction) => boolean }

function List({ title, none, of, only = () => true }: ListProps) {
  const readPage = async (page: PageQuery) => {
    const { transactions, next_cursor } = await read('/v1/transactions', { ...of, ...page })
    return { rows: transactions.filter(only), total: null, next_cursor }
  }
  return (
    <Part title={title}>
      <PagedTable
        caption={title}
        inside
        of={JSON.stringify(of)}
        href={(sale: ListedTransaction) => linkTo('transactions', { id: sale.id })}
        empty={{ title: 'None', text: none }}
        columns={COLUMNS}
        read={readPage}
      />
    </Part>
  )
}
