import { call, newIdempotencyKey } from '../api.js'
import { button, element, facts, field, form, list, moment, say, table } from '../elements.js'
import { parsed, percent, shown, typed } from '../money.js'
import { words } from '../words.js'

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
    const page = await call('GET', '/v1/transactions', { query: { limit: '25', cursor } })
    rows.append(page.total === 0 ? element('p', {}, 'Nothing is recorded yet.') : tableOf(page.transactions))
    const { next_cursor } = page
    below.replaceChildren(
      ...(next_cursor === null ? [] : [button('Show older ones', below, () => more(next_cursor))]),
    )
    say(`${page.transactions.length} of ${page.total} transactions`)
  }
  await more(null)
}

/** @param {Omit<Transaction, 'queried_at'>[]} sales */
function tableOf(sales) {
  return table(
    `Transactions of ${sales[0]?.transaction_date.slice(0, 10)} and before`,
    ['When', 'Transaction', 'Place', 'Status', '#Total', '#Tax', '#Refunded'],
    sales.map((sale) => [
      moment(sale.transaction_date),
      element('a', { href: `#/transactions/${sale.id}` }, sale.external_id ?? sale.id),
      sale.jurisdiction_id,
      sale.status,
      shown(sale.total, sale.currency),
      shown(sale.tax_amount, sale.currency),
      sale.amount_refunded === 0 ? null : shown(sale.amount_refunded, sale.currency),
    ]),
  )
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
async function showOne(place, id) {
  /** @type {Transaction} */
  const sale = await call('GET', `/v1/transactions/${encodeURIComponent(id)}`)
  const money = (/** @type {number} */ amount) => shown(amount, sale.currency)
  const left = sale.total - sale.amount_refunded
  const refundable = left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  place.replaceChildren(
    element('p', {}, element('a', { href: '#/transactions' }, 'All transactions')),
    facts([
      ['Transaction', sale.external_id === null ? sale.id : `${sale.external_id} (${sale.id})`],
      ['When', moment(sale.transaction_date)],
      ['Status', sale.status],
      ['Place', sale.jurisdiction_id],
      ['Total', money(sale.total)],
      ['Tax', `${money(sale.tax_amount)}, ${sale.tax_source}`],
      ['Refunded', `${money(sale.amount_refunded)}, of it tax ${money(sale.tax_refunded)}`],
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
        words(line.product_type),
        line.description,
        money(line.net_amount),
        percent(line.tax_rate),
        money(line.tax_amount),
        line.reason_detail ?? (line.taxability_reason && words(line.taxability_reason)),
      ]),
    ),
    ...(sale.refunds.length === 0
      ? []
      : [
          table(
            'Refunds',
            ['When', 'Reason', '#Amount', '#Of it tax'],
            sale.refunds.map((refund) => [
              moment(refund.refunded_at),
              refund.reason,
              money(refund.amount),
              money(refund.tax_amount),
            ]),
          ),
        ]),
    refundable ? refundForm(place, sale, left) : (list(['Nothing of it can be refunded.']) ?? ''),
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
    value: typed(left, sale.currency),
  })
  const reason = element('input', { required: true, maxlength: 500, autocomplete: 'off' })
  const fields = [
    field('Amount, tax included', amount, `At most ${shown(left, sale.currency)}`),
    field('Reason', reason, 'Kept with the refund'),
  ]
  const made = form('Refund', fields, async () => {
    const body = { amount: parsed(amount.value, sale.currency, 'Amount'), reason: reason.value }
    /** @type {z.output<typeof RefundAnswer>} */
    const { refund } = await call('POST', `/v1/transactions/${sale.id}/refund`, { body, idempotency_key })
    await showOne(place, sale.id)
    say(
      `Refunded ${shown(refund.amount, sale.currency)}, of it tax ${shown(refund.tax_amount, sale.currency)}`,
    )
  })
  return element('section', { 'aria-label': 'Refund' }, element('h2', {}, 'Refund'), made)
}
