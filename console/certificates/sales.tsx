import type { z } from 'zod'
import type { TransactionsAnswer } from '../../src/transactions/answers.ts'
import { linkTo } from '../address.ts'
import { callApi, ifAllowed } from '../api.ts'
import type { Certificate } from './state.ts'
import { formatMoney } from '../format.ts'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Part } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { Day } from '../parts/time.tsx'

type Page = z.output<typeof TransactionsAnswer>

/** The sales of one list. */
const SHOWN = 20

/** The sales that rest on a certificate, and those of its places that rest on none since it ended. */
export function SalesOf({ customer_id, of }: { customer_id: string; of: Certificate }) {
  const { id, valid_to, jurisdiction_id } = of
  const ended = valid_to !== null && valid_to < new Date().toISOString().slice(0, 10)
  const read = (query: Record<string, string>) =>
    ifAllowed(callApi<Page>('GET', '/v1/transactions', { query: { customer_id, limit: '100', ...query } }))
  const loading = useLoading(
    () =>
      Promise.all([
        read({ exemption_id: id }),
        ended ? read({ exemption_id: 'none', from_date: dayAfter(valid_to) }) : null,
      ]),
    [id, valid_to],
  )
  const isThere = (place: string) => place === jurisdiction_id || place.startsWith(`${jurisdiction_id}-`)
  return (
    <Loaded
      of={loading}
      show={([used, without]) => (
        <>
          <List title="Sales that used it" of={used} empty="No sale rests on this certificate." />
          {ended && (
            <List
              title="Sales without a certificate since it ended"
              of={
                without && {
                  ...without,
                  transactions: without.transactions.filter((sale) => isThere(sale.jurisdiction_id)),
                }
              }
              empty="There is none."
            />
          )}
        </>
      )}
    />
  )
}

/** `of` is null if the key may not read sales. */
function List({ title, of, empty }: { title: string; of: Page | null; empty: string }) {
  if (of === null) return null
  const { transactions, has_more } = of
  const more = has_more || transactions.length > SHOWN
  return (
    <Part title={title}>
      {transactions.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <Table
          caption={title}
          rows={transactions.slice(0, SHOWN)}
          href={(sale) => linkTo('transactions', { id: sale.id })}
          columns={[
            { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
            { head: 'Date', keep: true, cell: (sale) => <Day at={sale.transaction_date} /> },
            { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
            {
              head: 'Total',
              number: true,
              phone: 'figure',
              cell: (sale) => formatMoney(sale.total, sale.currency),
            },
          ]}
        />
      )}
      {more && <p class="quiet">There are more. The latest {SHOWN} at most are shown.</p>}
    </Part>
  )
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}
