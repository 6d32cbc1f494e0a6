import { dayOf, formatMoney } from '../format.js'
import { badge } from '../parts/badge.js'

/**
 * @import { z } from 'zod'
 * @import { TransactionsAnswer } from '../../../src/transactions/schemas.ts'
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
    { head: 'Tax', number: true, cell: (sale) => formatMoney(sale.tax_amount, sale.currency) },
    { head: 'Total', number: true, phone: 'figure', cell: (sale) => formatMoney(sale.total, sale.currency) },
  ]
}

/**
 * A sale that is refunded in part has a word of its own.
 * @param {Pick<Sale, 'status' | 'amount_refunded' | 'total'>} sale
 */
export function statusOf({ status, amount_refunded, total }) {
  return status === 'refunded' && amount_refunded < total ? 'refunded in part' : status
}
