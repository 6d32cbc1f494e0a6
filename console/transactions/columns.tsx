import type { ListedTransaction } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { formatMoney } from '../format.ts'
import { placeName } from '../names.ts'
import { Badge, Day, type Empty, LinkButton } from '../parts/parts.tsx'
import type { Column } from '../parts/table.tsx'
import { reasonWords } from '../words.ts'

/** A sale of a list. Lists of other views have no names of customers. */
type Sale = Omit<ListedTransaction, 'customer_name'> & { customer_name?: string | null }

/** A list of sales in an account that has none. */
export const NO_SALES: Empty = {
  title: 'No transactions yet',
  text: 'Sales are listed here when your shop sends them to the API, or when you import a CSV file.',
  action: <FirstSale />,
}

/** Leads to the import, or to the guide for whoever may not record sales here. */
function FirstSale() {
  const to = may('transactions:write') ? linkTo('transactions', { id: 'new' }) : '/docs/quickstart'
  return <LinkButton to={to} name="Record the first sale" />
}

/** The columns of a list of sales. */
export const TRANSACTION_COLUMNS: readonly Column<Sale>[] = [
  { head: 'Transaction', keep: 'wide', cell: (sale) => sale.external_id ?? sale.id },
  { head: 'Invoice', phone: 'none', keep: 'wide', cell: (sale) => sale.invoice_number },
  { head: 'Customer', cell: (sale) => sale.customer_name ?? '–' },
  { head: 'Date', keep: 'wide', cell: (sale) => <Day at={sale.transaction_date} /> },
  { head: 'Place', keep: 'wide', cell: (sale) => placeName(sale.jurisdiction_id) },
  { head: 'Status', cell: (sale) => <StatusOf sale={sale} /> },
  { head: 'Tax', number: true, cell: (sale) => <TaxOf sale={sale} /> },
  { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
]

/** Most sales are completed: only another state has a colour. */
function StatusOf({ sale }: { sale: Sale }) {
  const status = statusOf(sale)
  return status === 'completed' ? <span class="quiet">Completed</span> : <Badge word={status} />
}

/** The tax of a sale. A sale without tax has the reason on hover; its drawer has it in words. */
function TaxOf({ sale: { tax_amount, currency, line_items } }: { sale: Sale }) {
  const reason = line_items.find(({ taxability_reason }) => taxability_reason !== null)
  if (tax_amount !== 0 || reason === undefined) return <>{formatMoney(tax_amount, currency)}</>
  const why = reason.reason_detail ?? reasonWords(reason.taxability_reason ?? '')
  return <span title={why}>{formatMoney(0, currency)}</span>
}

type StatedSale = Pick<Sale, 'status' | 'amount_refunded' | 'total'>

/** A sale that is refunded in part has a word of its own. */
export function statusOf({ status, amount_refunded, total }: StatedSale): string {
  return status === 'refunded' && amount_refunded < total ? 'refunded in part' : status
}
