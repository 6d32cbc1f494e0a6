import { callApi, newIdempotencyKey } from '../api.js'
import { button, element, definitions, field, form, list, moment, announce, table } from '../elements.js'
import { parseMoney, formatPercent, formatMoney, editableMoney } from '../money.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { RefundAnswer, TransactionAnswer, TransactionsAnswer } from '../../../src/transactions/schemas.ts'
 * @import { View } from '../console.js'
 * @typedef {z.output<typeof TransactionAnswer>} Transaction
 */

/** @type {View} */
export const transactions = {
  path: 'transactions',
  title: 'Transactions',
  show: (place, id) => (id === null ? showList(place) : showOne(place, id)),
}

/** @param {HTMLElement} place */
async function showList(place) {
  const rows = element('div', {})
  const below = element('div', {})
  place.replaceChildren(rows, below)
  /** @param {string | null} cursor */
  const more = async (cursor) => {
    /** @type {z.output<typeof TransactionsAnswer>} */
    const page = await callApi('GET', '/v1/transactions', { query: { limit: '25', cursor } })
    rows.append(
      page.total === 0 ? element('p', {}, 'No transactions are recorded yet.') : tableOf(page.transactions),
    )
    const { next_cursor } = page
    below.replaceChildren(
      ...(next_cursor === null ? [] : [button('Show older transactions', below, () => more(next_cursor))]),
    )
    announce(`${page.transactions.length} of ${page.total} transactions`)
  }
  await more(null)
}

/** @param {Omit<Transaction, 'queried_at'>[]} sales */
function tableOf(sales) {
  return table(
    `Transactions up to ${sales[0]?.transaction_date.slice(0, 10)}`,
    ['When', 'Transaction', 'Place', 'Status', '#Total', '#Tax', '#Refunded'],
    sales.map((sale) => [
      moment(sale.transaction_date),
      element('a', { href: `#/transactions/${sale.id}` }, sale.external_id ?? sale.id),
      sale.jurisdiction_id,
      sale.status,
      formatMoney(sale.total, sale.currency),
      formatMoney(sale.tax_amount, sale.currency),
      sale.amount_refunded === 0 ? null : formatMoney(sale.amount_refunded, sale.currency),
    ]),
  )
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
async function showOne(place, id) {
  /** @type {Transaction} */
  const sale = await callApi('GET', `/v1/transactions/${encodeURIComponent(id)}`)
  const money = (/** @type {number} */ amount) => formatMoney(amount, sale.currency)
  const left = sale.total - sale.amount_refunded
  const refundable = left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  place.replaceChildren(
    element('p', {}, element('a', { href: '#/transactions' }, 'All transactions')),
    definitions([
      ['Transaction', sale.external_id === null ? sale.id : `${sale.external_id} (${sale.id})`],
      ['When', moment(sale.transaction_date)],
      ['Status', sale.status],
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
    table(
      'Lines',
      ['Product type', 'Description', '#Net', '#Rate', '#Tax', 'Why'],
      sale.line_items.map((line) => [
        withSpaces(line.product_type),
        line.description,
        money(line.net_amount),
        formatPercent(line.tax_rate),
        money(line.tax_amount),
        line.reason_detail ?? (line.taxability_reason && withSpaces(line.taxability_reason)),
      ]),
    ),
    ...(sale.refunds.length === 0
      ? []
      : [
          table(
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
    refundable ? refundForm(place, sale, left) : (list(['Nothing can be refunded.']) ?? ''),
  )
}

/**
 * @param {HTMLElement} place
 * @param {Transaction} sale
 * @param {number} left
 */
function refundForm(place, sale, left) {
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
    await showOne(place, sale.id)
    const money = (/** @type {number} */ part) => formatMoney(part, sale.currency)
    announce(`Refunded ${money(refund.amount)}, including tax ${money(refund.tax_amount)}`)
  })
  return element('section', { 'aria-label': 'Refund' }, element('h2', {}, 'Refund'), made)
}
