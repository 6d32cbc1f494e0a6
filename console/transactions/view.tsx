import type { TransactionSums } from '../../client/src/schema.ts'
import { monthsBefore } from '../../src/platform/kit/calendar.ts'
import { TAXABILITY_REASONS } from '../../src/engine/found/assessment.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps, type ViewProps } from '../address.ts'
import { download, Failure, type PageQuery, type Query, read } from '../api.ts'
import { formatMoney, todayInZone } from '../format.ts'
import { customerName, namedPlaces, type Option, placeName, productTypes, withNames } from '../names.ts'
import { Deeds } from '../parts/changes.tsx'
import { type Filter, Filters } from '../parts/filters.tsx'
import { Loaded, loadScripts, useChanges, useLoading } from '../parts/load.tsx'
import { type Empty, LinkButton, useTitle } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'
import { counted, reasonWords, sentence } from '../words.ts'
import { NO_SALES, TRANSACTION_COLUMNS } from './columns.tsx'

const STATUSES = ['completed', 'refunded', 'pending', 'voided', 'superseded']

/** The filters whose names are those of the API. */
const FILTERED = (
  'q external_id_prefix jurisdiction_id status from_date to_date customer_id currency product_type no_tax ' +
  'variance reason'
).split(' ')

/** The drawer of a sale. Its script is loaded when the first sale is opened. */
export function Record(props: RecordProps) {
  const loading = useLoading(() => loadScripts(() => import('./record.tsx')))
  return <Loaded of={loading} lines={12} show={(record) => <record.Record {...props} />} />
}

/** The sales, the newest first. */
export function View({ query }: ViewProps) {
  const { value: places } = useLoading(namedPlaces)
  const { value: products } = useLoading(productTypes)
  const customer_id = query.get('customer_id')
  const { value: customers } = useLoading(() => nameOfCustomer(customer_id), [customer_id])
  const readPage = async (page: PageQuery) => {
    const asked = { ...page, sort: query.get('sort'), ...filtersIn(query) }
    const answer = await withNames(read('/v1/transactions', asked))
    return { ...answer, rows: answer.transactions }
  }
  const empty = query.size > 0 ? noMatch(query.get('jurisdiction_id'), places ?? []) : NO_SALES
  return (
    <>
      <Filters of={filtersOf(query, places ?? [], products ?? [], customers ?? [])} query={query} />
      <Sums query={query} />
      {query.has('variance') && may('reports:read') && <Differences {...daysOf(query)} />}
      <PagedTable
        caption={`Transactions, ${ORDERS.get(query.get('sort') ?? '') ?? 'newest first'}`}
        of={query.toString()}
        href={({ id }) => linkTo('transactions', { id, query })}
        columns={TRANSACTION_COLUMNS}
        empty={empty}
        read={readPage}
      />
    </>
  )
}

/** The report of what was charged differently. Its script is loaded when it is asked for. */
function Differences(days: { from_date: string; to_date: string }) {
  const loading = useLoading(() => loadScripts(() => import('./variance.tsx')))
  return <Loaded of={loading} show={({ Variances }) => <Variances {...days} />} />
}

export function Actions({ query }: ViewProps) {
  const save = () =>
    download('/v1/reports/export', { report: 'transactions', ...filtersIn(query) }, 'transactions.csv')
  return (
    <Deeds of={[{ name: 'Export CSV', act: save }]}>
      {may('transactions:write') && (
        <LinkButton to={linkTo('transactions', { id: 'new', query })} name="Import CSV" />
      )}
    </Deeds>
  )
}

/** The import of a file, with the readers of other services, which are loaded only here. */
export function New() {
  useTitle('Import sales')
  const loading = useLoading(() => loadScripts(() => import('./import.tsx')))
  return <Loaded of={loading} show={({ ImportSales }) => <ImportSales />} />
}

/** Sales of a country such as the United States are listed under its states. */
function noMatch(place: string | null, places: readonly Option[]): Empty {
  const has_parts = place !== null && places.some(({ value }) => value.startsWith(`${place}-`))
  const text = has_parts
    ? `Sales in a state or province of ${placeName(place)} are listed there. Choose that place.`
    : 'Change a filter above, or clear them all.'
  return { title: 'No transaction matches', text }
}

/** The orders of the list, by their names in the API. */
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['oldest', 'oldest first'],
  ['largest', 'largest amount first'],
  ['smallest', 'smallest amount first'],
])

const DIFFERS = [{ value: 'true', name: 'Differs from expected' }]

const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({ value: code, name: code }))

function filtersOf(
  query: URLSearchParams,
  places: readonly Option[],
  products: readonly Option[],
  customers: readonly Option[],
): Filter[] {
  const statuses = STATUSES.map((status) => ({ value: status, name: sentence(status) }))
  const presets = presetsOn(todayInZone()).map(({ name, from, to }) => ({ value: `${from}..${to}`, name }))
  const reasons = TAXABILITY_REASONS.map((reason) => ({ value: reason, name: reasonWords(reason) }))
  const orders = [...ORDERS].map(([value, name]) => ({ value, name: sentence(name) }))
  const hint = 'The e-mail address, your own reference, or the id'
  return [
    { name: 'q', label: 'Order, invoice, customer, amount', kind: 'search' },
    { name: 'days', label: 'Days', kind: 'select', options: presets },
    { name: 'jurisdiction_id', label: 'Place', kind: 'pick', options: places },
    { name: 'status', label: 'Status', kind: 'select', options: statuses },
    { name: 'no_tax', label: 'Tax', kind: 'select', options: [{ value: 'true', name: 'No tax' }] },
    { name: 'variance', label: 'Charged tax', kind: 'select', options: DIFFERS },
    { name: 'reason', label: 'Reason', kind: 'select', options: reasons },
    { name: 'from_date', label: 'Sold from', kind: 'date' },
    { name: 'to_date', label: 'Sold until', kind: 'date' },
    { name: 'customer_id', label: 'Customer', kind: 'words', hint, options: customers, resolve: customerId },
    { name: 'currency', label: 'Currency', kind: 'pick', options: CURRENCIES },
    ...(may('tax:read')
      ? [{ name: 'product_type', label: 'Product type', kind: 'pick', options: products } as const]
      : []),
    { name: 'sort', label: 'Order', kind: 'select', options: orders, none: 'Newest first' },
    ...(query.has('external_id_prefix')
      ? [{ name: 'external_id_prefix', label: 'Order number', kind: 'words' } as const]
      : []),
  ]
}

/**
 * What all sales of the list add up to: one line of the currency with the most sales, which opens. A phone
 * shows no more of it than the total.
 */
function Sums({ query }: { query: URLSearchParams }) {
  const asked = { ...filtersIn(query), sums: 'true', limit: '1' }
  const loading = useLoading(() => read('/v1/transactions', asked), [query.toString()])
  useChanges(() => void loading.again())
  const { value } = loading
  // The table below says what failed.
  if (value?.sums === undefined) return <p class="quiet sums">&nbsp;</p>
  const { sums, search_complete, transactions } = value
  const [first, ...others] = (sums ?? []).toSorted((one, other) => other.transactions - one.transactions)
  const left_out = transactions.length > 0 && !query.has('status')
  return (
    <div class="quiet sums" role="status">
      {sums === null && <p>Too many sales to add up. Choose fewer days.</p>}
      {first !== undefined && (
        <details>
          <summary>
            <SumOf {...first} />
            {others.length > 0 && (
              <span>{`+ ${others.length} ${others.length === 1 ? 'currency' : 'currencies'}`}</span>
            )}
          </summary>
          {others.map((each) => (
            <p>
              <SumOf {...each} />
            </p>
          ))}
          {left_out && <p>Totals and export leave out pending, voided and replaced sales.</p>}
        </details>
      )}
      {search_complete === false && <p>Too many matches. Type more.</p>}
    </div>
  )
}

function SumOf(sums: TransactionSums) {
  const { transactions, currency, subtotal, tax_amount, total, amount_refunded } = sums
  return (
    <span>
      {`${counted(transactions, 'sale')} · `}
      <span class="parts">
        {`${formatMoney(subtotal, currency)} net · ${formatMoney(tax_amount, currency)} tax · `}
      </span>
      <strong>{formatMoney(total, currency)}</strong>
      {amount_refunded !== 0 && (
        <span class="parts">{` · ${formatMoney(amount_refunded, currency)} refunded`}</span>
      )}
    </span>
  )
}

/** The filters as the API takes them. A chosen day stands before those of a span. */
function filtersIn(query: URLSearchParams): Query {
  const [from = null, to = null] = query.get('days')?.split('..') ?? []
  const chosen = Object.fromEntries(FILTERED.map((name) => [name, query.get(name)]))
  return { ...chosen, from_date: chosen['from_date'] ?? from, to_date: chosen['to_date'] ?? to }
}

/** The days of the filters, or the twelve months until today. */
function daysOf(query: URLSearchParams): { from_date: string; to_date: string } {
  const { from_date = null, to_date = null } = filtersIn(query)
  const today = todayInZone()
  return { from_date: from_date ?? monthsBefore(today, 12), to_date: to_date ?? today }
}

/** The id of a customer by e-mail address or own reference. Throws a Failure if there is none. */
async function customerId(typed: string): Promise<string> {
  if (typed.startsWith('cust_')) return typed
  if (!typed.includes('@'))
    return (await read('/v1/customers/external/{external_id}', { external_id: typed })).id
  const [first] = (await read('/v1/customers', { email: typed, limit: '1' })).customers
  if (first !== undefined) return first.id
  throw new Failure(404, { message: `No customer has the address ${typed}`, reason: 'not_found' })
}

/** The customer of the filter, by its name. */
async function nameOfCustomer(id: string | null): Promise<Option[]> {
  if (id === null || !may('customers:read')) return []
  return [{ value: id, name: customerName(await read('/v1/customers/{id}', { id })) }]
}

/** Days from one to another, as a person names them. */
export type Preset = { name: string; from: string; to: string }

/** The spans that accountants ask for, on a day such as 2026-11-24. */
export function presetsOn(today: string): Preset[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const quarter = Math.floor((month - 1) / 3) * 3 + 1
  return [
    { name: 'This month', ...months(year, month, 1) },
    { name: 'Last month', ...months(year, month - 1, 1) },
    { name: 'This quarter', ...months(year, quarter, 3) },
    { name: 'Last quarter', ...months(year, quarter - 3, 3) },
    { name: 'This year', ...months(year, 1, 12) },
    { name: 'Last year', ...months(year - 1, 1, 12) },
  ]
}

/** So many whole months; the first may lie in an earlier year. */
function months(year: number, first: number, count: number): { from: string; to: string } {
  const day = (month: number, number: number) =>
    new Date(Date.UTC(year, month - 1, number)).toISOString().slice(0, 10)
  return { from: day(first, 1), to: day(first + count, 0) }
}
