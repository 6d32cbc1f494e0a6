import { element } from '../elements.js'
import { dayOf, formatMoney } from '../format.js'
import { badge } from '../parts/badge.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { TransactionsAnswer } from '../../../src/transactions/answers.ts'
 * @import { Column } from '../parts/table.js'
 * @typedef {z.output<typeof TransactionsAnswer>['transactions'][number]} Sale
 */

/**
 * The columns of a list of sales.
 * @param {Map<string, string>} names of the jurisdictions
 * @returns {Column<Sale>[]}
 */
export function transactionColumns(names) {
  return [
    { head: 'Transaction', cell: (sale) => sale.external_id ?? sale.id },
    { head: 'Date', cell: (sale) => dayOf(sale.transaction_date) },
    { head: 'Place', cell: (sale) => names.get(sale.jurisdiction_id) ?? sale.jurisdiction_id },
    { head: 'Status', cell: (sale) => badge(statusOf(sale)) },
    { head: 'Tax', number: true, cell: taxOf },
    { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
  ]
}

/**
 * The tax of a sale. A sale without tax has the reason on hover; its drawer has it in words.
 * @param {Sale} sale
 */
function taxOf({ tax_amount, currency, line_items }) {
  const reason = line_items.find(({ taxability_reason }) => taxability_reason !== null)
  if (tax_amount !== 0 || reason === undefined) return formatMoney(tax_amount, currency)
  const why = reason.reason_detail ?? withSpaces(reason.taxability_reason ?? '')
  return element('span', { title: why }, formatMoney(0, currency))
}

/**
 * A sale that is refunded in part has a word of its own.
 * @param {Pick<Sale, 'status' | 'amount_refunded' | 'total'>} sale
 */
export function statusOf({ status, amount_refunded, total }) {
  return status === 'refunded' && amount_refunded < total ? 'refunded in part' : status
}
