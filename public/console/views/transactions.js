import { linkTo } from '../address.js'
import { callApi, Failure } from '../api.js'
import { button, element } from '../elements.js'
import { download } from '../parts/download.js'
import { filterBar } from '../parts/filters.js'
import { placeNames, productTypes } from '../parts/names.js'
import { pagedTable } from '../parts/table.js'
import { transactionColumns } from '../transactions/columns.js'
import { transactionDetail } from '../transactions/detail.js'

/**
 * @import { z } from 'zod'
 * @import { CustomerAnswer, CustomersAnswer } from '../../../src/customers/schemas.ts'
 * @import { TransactionsAnswer } from '../../../src/transactions/answers.ts'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Filter } from '../parts/filters.js'
 * @import { Page } from '../views.js'
 */

const STATUSES = ['completed', 'refunded', 'pending', 'voided', 'superseded']

const FILTERED = [
  'external_id_prefix',
  'jurisdiction_id',
  'status',
  'from_date',
  'to_date',
  'customer_id',
  'currency',
  'product_type',
]

/** How many pages without a match one click reads, before the user decides to go on. */
const EMPTY_PAGES = 5

/** @param {Page} page */
export async function show({ place, actions, query }) {
  const [names, products] = await Promise.all([placeNames(), productTypes()])
  const { shown, reload } = pagedTable({
    caption: 'Transactions, newest first',
    href: (sale) => linkTo('transactions', { id: sale.id, query }),
    empty: () =>
      query.size > 0
        ? { title: 'No transaction matches', text: 'Change a filter above, or clear them all.' }
        : {
            title: 'No transactions yet',
            text: 'A sale is listed here when your shop records it with POST /v1/transactions.',
            action: element('a', { class: 'button', href: '/docs/quickstart' }, 'Read how'),
          },
    columns: transactionColumns(names),
    read: (cursor) => readPage(query, cursor),
  })
  const failed = element('div', {})
  actions.append(button('Export CSV', failed, () => exportCsv(query)))
  place.replaceChildren(
    failed,
    filterBar(filtersOf([...names], products), query, () => void reload()),
    shown,
  )
  await reload()
}

/**
 * @param {Drawer} drawer
 * @param {string} id
 */
export function open(drawer, id) {
  return transactionDetail(drawer, id)
}

/**
 * @param {[string, string][]} places
 * @param {{ value: string, name: string }[]} products
 * @returns {Filter[]}
 */
function filtersOf(places, products) {
  return [
    { name: 'external_id_prefix', label: 'Order number', kind: 'search' },
    { name: 'jurisdiction_id', label: 'Place', kind: 'pick', choices: places },
    { name: 'status', label: 'Status', kind: 'select', choices: STATUSES.map((status) => [status, status]) },
    { name: 'from_date', label: 'From', kind: 'date' },
    { name: 'to_date', label: 'To', kind: 'date' },
    {
      name: 'customer_id',
      label: 'Customer',
      kind: 'words',
      hint: 'The e-mail address, your own reference, or the id',
      resolve: customerId,
    },
    { name: 'currency', label: 'Currency', kind: 'words', hint: 'Such as EUR' },
    {
      name: 'product_type',
      label: 'Product type',
      kind: 'pick',
      choices: products.map(({ value, name }) => [value, name]),
    },
  ]
}

/**
 * A page with rows, if there are any: a page of a rare currency or product can be empty although more follow.
 * @param {URLSearchParams} query
 * @param {string | null} cursor
 */
async function readPage(query, cursor) {
  let next_cursor = cursor
  for (let pages = 0; ; pages += 1) {
    /** @type {z.output<typeof TransactionsAnswer>} */
    const page = await callApi('GET', '/v1/transactions', {
      query: { limit: '25', cursor: next_cursor, ...filtersIn(query) },
    })
    next_cursor = page.next_cursor
    if (page.transactions.length > 0 || next_cursor === null || pages === EMPTY_PAGES)
      return { rows: page.transactions, total: page.total, next_cursor }
  }
}

/** @param {URLSearchParams} query */
function filtersIn(query) {
  return Object.fromEntries(FILTERED.map((name) => [name, query.get(name)]))
}

/** @param {URLSearchParams} query */
async function exportCsv(query) {
  await download('/v1/reports/export', { report: 'transactions', ...filtersIn(query) }, 'transactions.csv')
}

/**
 * The id of a customer by an e-mail address or the caller's own reference. Throws a Failure if there is none.
 * @param {string} typed
 */
async function customerId(typed) {
  if (typed.startsWith('cust_')) return typed
  if (!typed.includes('@')) {
    /** @type {z.output<typeof CustomerAnswer>} */
    const { id } = await callApi('GET', `/v1/customers/external/${encodeURIComponent(typed)}`)
    return id
  }
  /** @type {z.output<typeof CustomersAnswer>} */
  const { customers } = await callApi('GET', '/v1/customers', { query: { email: typed, limit: '1' } })
  const [first] = customers
  if (first === undefined)
    throw new Failure(404, { message: `No customer has the address ${typed}`, reason: 'not_found' })
  return first.id
}
