import { callApi, newIdempotencyKey } from '../api.js'
import { linkTo } from '../address.js'
import { definitions, element, field, form, list } from '../elements.js'
import { dayOf, editableMoney, formatMoney, formatRate, moment, parseMoney } from '../format.js'
import { badge } from '../parts/badge.js'
import { filterBar } from '../parts/filters.js'
import { placeNames } from '../parts/names.js'
import { pagedTable, plainTable } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { RefundAnswer, TransactionAnswer, TransactionsAnswer } from '../../../src/transactions/schemas.ts'
 * @import { Page } from '../views.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof TransactionAnswer>} Transaction
 */

const STATUSES = /** @type {[string, string][]} */ (
  ['pending', 'completed', 'refunded', 'voided', 'superseded'].map((status) => [status, status])
)

/** @param {Page} page */
export async function show({ place, query }) {
  const names = await placeNames()
  const asked = (/** @type {string} */ name) => query.get(name)
  const { shown, reload } = pagedTable({
    caption: 'Transactions, newest first',
    href: (sale) => linkTo('transactions', { id: sale.id, query }),
    empty: {
      title: 'No transactions',
      text: 'A sale is listed here when your shop records it with POST /v1/transactions.',
    },
    columns: [
      { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
      { head: 'Date', cell: (sale) => dayOf(sale.transaction_date) },
      { head: 'Place', cell: (sale) => names.get(sale.jurisdiction_id) ?? sale.jurisdiction_id },
      { head: 'Status', cell: (sale) => badge(statusOf(sale)) },
      { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
      {
        head: 'Total',
        number: true,
        phone: 'figure',
        cell: (sale) => formatMoney(sale.total, sale.currency),
      },
    ],
    read: async (cursor) => {
      /** @type {z.output<typeof TransactionsAnswer>} */
      const page = await callApi('GET', '/v1/transactions', {
        query: {
          limit: '25',
          cursor,
          status: asked('status'),
          jurisdiction_id: asked('jurisdiction_id'),
          from_date: asked('from_date'),
          to_date: asked('to_date'),
        },
      })
      return { rows: page.transactions, total: page.total, next_cursor: page.next_cursor }
    },
  })
  const filters = filterBar(
    [
      { name: 'jurisdiction_id', label: 'Place', kind: 'pick', choices: [...names] },
      { name: 'status', label: 'Status', kind: 'select', choices: STATUSES },
      { name: 'from_date', label: 'From', kind: 'date' },
      { name: 'to_date', label: 'To', kind: 'date' },
    ],
    query,
    () => void reload(),
  )
  place.replaceChildren(filters, shown)
  await reload()
}

/** @param {Omit<Transaction, 'queried_at'>} sale */
function statusOf({ status, amount_refunded, total }) {
  return status === 'refunded' && amount_refunded < total ? 'refunded in part' : status
}

/**
 * @param {Drawer} drawer
 * @param {string} id
 */
export async function open(drawer, id) {
  /** @type {Transaction} */
  const sale = await callApi('GET', `/v1/transactions/${encodeURIComponent(id)}`)
  drawer.setTitle(sale.external_id ?? sale.id, badge(statusOf(sale)))
  const money = (/** @type {number} */ amount) => formatMoney(amount, sale.currency)
  const left = sale.total - sale.amount_refunded
  const refundable = left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  return [
    definitions([
      ['Transaction', sale.id],
      ['When', moment(sale.transaction_date)],
      ['Place', sale.jurisdiction_id],
      ['Total', money(sale.total)],
      ['Tax', `${money(sale.tax_amount)}, ${sale.tax_source}`],
      ['Refunded', `${money(sale.amount_refunded)}, including tax ${money(sale.tax_refunded)}`],
      ['Reverse charge', sale.reverse_charge ? 'yes' : 'no'],
      [
        'Customer',
        [sale.customer.address.country, sale.customer.address.region, sale.customer.vat_id]
          .filter(Boolean)
          .join(', '),
      ],
    ]),
    plainTable(
      'Lines',
      ['Product type', 'Description', '#Net', '#Rate', '#Tax', 'Why'],
      sale.line_items.map((line) => [
        withSpaces(line.product_type),
        line.description,
        money(line.net_amount),
        formatRate(line.tax_rate),
        money(line.tax_amount),
        line.reason_detail ?? (line.taxability_reason && withSpaces(line.taxability_reason)),
      ]),
    ),
    ...(sale.refunds.length === 0
      ? []
      : [
          plainTable(
            'Refunds',
            ['When', 'Reason', '#Amount', '#Tax'],
            sale.refunds.map((refund) => [
              moment(refund.refunded_at),
              refund.reason,
              money(refund.amount),
              money(refund.tax_amount),
            ]),
          ),
        ]),
    refundable ? refundForm(drawer, sale, left) : list(['Nothing can be refunded.']),
  ]
}

/**
 * @param {Drawer} drawer
 * @param {Transaction} sale
 * @param {number} left
 */
function refundForm(drawer, sale, left) {
  const idempotency_key = newIdempotencyKey()
  const amount = element('input', {
    inputmode: 'decimal',
    required: true,
    autocomplete: 'off',
    value: editableMoney(left, sale.currency),
  })
  const reason = element('input', { required: true, maxlength: 500, autocomplete: 'off' })
  const fields = [
    field('Amount, tax included', amount, `At most ${formatMoney(left, sale.currency)}`),
    field('Reason', reason, 'Stored with the refund'),
  ]
  const made = form('Refund', fields, async () => {
    const body = { amount: parseMoney(amount.value, sale.currency, 'Amount'), reason: reason.value }
    /** @type {z.output<typeof RefundAnswer>} */
    const { refund } = await callApi('POST', `/v1/transactions/${sale.id}/refund`, { body, idempotency_key })
    await drawer.refresh()
    const money = (/** @type {number} */ part) => formatMoney(part, sale.currency)
    toast(`Refunded ${money(refund.amount)}, including tax ${money(refund.tax_amount)}`)
  })
  return element('section', { 'aria-label': 'Refund' }, element('h2', {}, 'Refund'), made)
}
