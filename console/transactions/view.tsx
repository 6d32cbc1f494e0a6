import type { z } from 'zod'
import type { CustomerAnswer, CustomersAnswer } from '../../src/customers/schemas.ts'
import { TAXABILITY_REASONS } from '../../src/tax/assessment.ts'
import type { TransactionsAnswer } from '../../src/transactions/answers.ts'
import { linkTo } from '../address.ts'
import { callApi, Failure, type Query } from '../api.ts'
import { download } from '../download.ts'
import { formatMoney, todayInZone } from '../format.ts'
import { type Names, type Option, placeNames, productTypes } from '../names.ts'
import { Deeds } from '../parts/changes.tsx'
import { presetsOn } from '../parts/date-presets.ts'
import { type Filter, Filters } from '../parts/filters.tsx'
import { Skeleton, useLoading } from '../parts/load.tsx'
import type { Empty } from '../parts/parts.tsx'
import { PagedTable, type PageOfRows, useChanges } from '../parts/table.tsx'
import { may } from '../scopes.ts'
import type { ViewProps } from '../view-module.ts'
import { counted, sentence, withSpaces } from '../words.ts'
import { NO_SALES, type Sale, transactionColumns } from './columns.tsx'

export { Record } from './record.tsx'

const STATUSES = ['completed', 'refunded', 'pending', 'voided', 'superseded']

const FILTERED = [
  'q',
  'external_id_prefix',
  'jurisdiction_id',
  'status',
  'from_date',
  'to_date',
  'customer_id',
  'currency',
  'product_type',
  'no_tax',
  'reason',
]

/** How many pages without a match one click reads, before the user decides to go on. */
const EMPTY_PAGES = 5

/** The sales, the newest first. */
export function View({ query }: ViewProps) {
  const { value: places } = useLoading(placeNames)
  const { value: products } = useLoading(productTypes)
  const names = places ?? new Map<string, string>()
  const options = [...names].map(([value, name]) => ({ value, name }))
  const empty = query.size > 0 ? noMatch(query.get('jurisdiction_id'), names) : NO_SALES
  return (
    <>
      <Filters of={filtersOf(query, options, products ?? [])} query={query} />
      <Sums query={query} />
      <PagedTable
        caption={`Transactions, ${ORDERS.get(query.get('sort') ?? '') ?? 'newest first'}`}
        of={query.toString()}
        href={({ id }) => linkTo('transactions', { id, query })}
        columns={transactionColumns(names)}
        empty={empty}
        read={(cursor, limit) => readPage(query, cursor, limit)}
      />
    </>
  )
}

export function Actions({ query }: ViewProps) {
  const save = () =>
    download('/v1/reports/export', { report: 'transactions', ...filtersIn(query) }, 'transactions.csv')
  return <Deeds of={[{ name: 'Export CSV', act: save }]} />
}

/** Sales of a country such as the United States are listed under its states. */
function noMatch(place: string | null, names: Names): Empty {
  const has_parts = place !== null && [...names.keys()].some((id) => id.startsWith(`${place}-`))
  const text = has_parts
    ? `A sale in a state or province of ${names.get(place) ?? place} is listed there: choose that place.`
    : 'Change a filter above, or clear them all.'
  return { title: 'No transaction matches', text }
}

/** The orders of the list, by their names in the API. */
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['oldest', 'oldest first'],
  ['largest', 'largest amount first'],
  ['smallest', 'smallest amount first'],
])

function filtersOf(query: URLSearchParams, places: readonly Option[], products: readonly Option[]): Filter[] {
  const statuses = STATUSES.map((status) => ({ value: status, name: sentence(status) }))
  const presets = presetsOn(todayInZone()).map(({ name, from, to }) => ({
    value: `${from}..${to}`,
    name,
  }))
  const reasons = TAXABILITY_REASONS.map((reason) => ({ value: reason, name: sentence(withSpaces(reason)) }))
  const orders = [...ORDERS].map(([value, name]) => ({ value, name: sentence(name) }))
  const hint = 'The e-mail address, your own reference, or the id'
  return [
    { name: 'q', label: 'Order, invoice, customer, amount', kind: 'search' },
    { name: 'days', label: 'Days', kind: 'select', options: presets },
    { name: 'jurisdiction_id', label: 'Place', kind: 'pick', options: places },
    { name: 'status', label: 'Status', kind: 'select', options: statuses },
    { name: 'no_tax', label: 'Tax', kind: 'select', options: [{ value: 'true', name: 'No tax' }] },
    { name: 'reason', label: 'Reason', kind: 'select', options: reasons },
    { name: 'from_date', label: 'From', kind: 'date' },
    { name: 'to_date', label: 'To', kind: 'date' },
    { name: 'customer_id', label: 'Customer', kind: 'words', hint, resolve: customerId },
    { name: 'currency', label: 'Currency', kind: 'words', hint: 'Such as EUR' },
    ...(may('tax:read')
      ? [{ name: 'product_type', label: 'Product type', kind: 'pick', options: products } as const]
      : []),
    { name: 'sort', label: 'Order', kind: 'select', options: orders },
    ...(query.has('external_id_prefix')
      ? [{ name: 'external_id_prefix', label: 'Order number', kind: 'words' } as const]
      : []),
  ]
}

/** What all sales of the list add up to, by currency. */
function Sums({ query }: { query: URLSearchParams }) {
  const loading = useLoading(
    () =>
      callApi<z.output<typeof TransactionsAnswer>>('GET', '/v1/transactions', {
        query: { ...filtersIn(query), sums: 'true', limit: '1' },
      }),
    [query.toString()],
  )
  useChanges(() => void loading.again())
  const { value, failure } = loading
  // How many lines they take is not known before, so the table waits for them.
  if (value === null && failure === null) {
    return (
      <div class="sums">
        <Skeleton lines={10} />
      </div>
    )
  }
  // The table below says what failed.
  if (value === null || value.sums === undefined) return <p class="quiet sums">&nbsp;</p>
  const { sums, search_complete, transactions } = value
  return (
    <div class="quiet sums" role="status">
      {sums === null && <p>Too many sales to add up here: choose fewer days.</p>}
      {sums?.map((each) => (
        <p>
          {`${counted(each.transactions, 'sale')} · ${formatMoney(each.subtotal, each.currency)} net · `}
          {`${formatMoney(each.tax_amount, each.currency)} tax · `}
          <strong>{formatMoney(each.total, each.currency)}</strong>
          {each.amount_refunded !== 0 && ` · ${formatMoney(each.amount_refunded, each.currency)} refunded`}
        </p>
      ))}
      {transactions.length > 0 && !query.has('status') && (
        <p>Pending, voided and superseded sales are listed, and neither added up nor exported.</p>
      )}
      {search_complete === false && <p>More sales match than a search looks at: type more of it.</p>}
    </div>
  )
}

/**
 * A page with rows, if there are any: a page of a rare currency or product can be empty although more follow.
 */
async function readPage(
  query: URLSearchParams,
  cursor: string | null,
  limit: number,
): Promise<PageOfRows<Sale>> {
  let next_cursor = cursor
  for (let pages = 0; ; pages += 1) {
    const asked = { limit: String(limit), cursor: next_cursor, sort: query.get('sort'), ...filtersIn(query) }
    const path = '/v1/transactions'
    const page = await callApi<z.output<typeof TransactionsAnswer>>('GET', path, { query: asked })
    next_cursor = page.next_cursor
    if (page.transactions.length > 0 || next_cursor === null || pages === EMPTY_PAGES)
      return { rows: page.transactions, total: page.total, next_cursor }
  }
}

/** The filters as the API takes them. A chosen day stands before those of a span. */
function filtersIn(query: URLSearchParams): Query {
  const [from = null, to = null] = query.get('days')?.split('..') ?? []
  const chosen = Object.fromEntries(FILTERED.map((name) => [name, query.get(name)]))
  return { ...chosen, from_date: chosen['from_date'] ?? from, to_date: chosen['to_date'] ?? to }
}

/** The id of a customer by e-mail address or own reference. Throws a Failure if there is none. */
async function customerId(typed: string): Promise<string> {
  if (typed.startsWith('cust_')) return typed
  if (!typed.includes('@')) {
    const path = `/v1/customers/external/${encodeURIComponent(typed)}`
    return (await callApi<z.output<typeof CustomerAnswer>>('GET', path)).id
  }
  const query = { email: typed, limit: '1' }
  const { customers } = await callApi<z.output<typeof CustomersAnswer>>('GET', '/v1/customers', { query })
  const [first] = customers
  if (first !== undefined) return first.id
  throw new Failure(404, { message: `No customer has the address ${typed}`, reason: 'not_found' })
}
