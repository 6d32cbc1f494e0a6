import { callApi } from '../api.js'
import { linkTo } from '../address.js'
import { button, definitions, element } from '../elements.js'
import { formatDay, formatMoney, formatRate, moment } from '../format.js'
import { auditTrail } from '../parts/audit-trail.js'
import { badge } from '../parts/badge.js'
import { confirmed } from '../parts/confirm.js'
import { placeNames, productNames } from '../parts/names.js'
import { plainTable, recordsChanged } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { withSpaces } from '../words.js'
import { statusOf } from './columns.js'
import { refundForm } from './refund-form.js'
import { why } from './why.js'

/**
 * @import { z } from 'zod'
 * @import { TransactionAnswer } from '../../../src/transactions/answers.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof TransactionAnswer>} Transaction
 */

/**
 * The drawer of a sale.
 * @param {Drawer} drawer
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
export async function transactionDetail(drawer, id) {
  /** @type {[Transaction, Map<string, string>, Map<string, string>]} */
  const [sale, names, products] = await Promise.all([
    callApi('GET', `/v1/transactions/${encodeURIComponent(id)}`),
    placeNames(),
    productNames(),
  ])
  drawer.setTitle(sale.external_id ?? 'Transaction', badge(statusOf(sale)))
  const left = sale.total - sale.amount_refunded
  const refundable = left > 0 && (sale.status === 'completed' || sale.status === 'refunded')
  return [
    totals(sale),
    sale.status === 'pending' ? pendingActions(drawer, sale) : null,
    facts(sale, names),
    linesOfSale(sale, products),
    taxesOf(sale, names),
    why(sale),
    ...proofOf(sale),
    refundsOf(sale),
    refundable ? refundForm(drawer, sale, left) : null,
    await auditTrail(sale.id),
  ]
}

/** @param {Transaction} sale */
function totals({ total, tax_amount, subtotal, currency, amount_refunded, tax_refunded }) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, currency)
  return element(
    'div',
    {},
    element('p', { class: 'sum' }, money(total)),
    element('p', { class: 'quiet' }, `${money(subtotal)} and ${money(tax_amount)} tax`),
    amount_refunded === 0
      ? null
      : element(
          'p',
          { class: 'quiet' },
          `${money(amount_refunded)} refunded, ${money(tax_refunded)} of it tax. `,
          `${money(total - amount_refunded)} remain.`,
        ),
  )
}

/**
 * @param {Transaction} sale
 * @param {Map<string, string>} names
 */
function facts(sale, names) {
  const { customer } = sale
  const address = [customer.address.postal_code, customer.address.region, names.get(customer.address.country)]
  return definitions([
    ['Date', moment(sale.transaction_date)],
    ['Taxed in', names.get(sale.jurisdiction_id) ?? sale.jurisdiction_id],
    ['Customer', address.filter(Boolean).join(', ') || customer.address.country],
    ...onFile(customer.id),
    ['VAT id', customer.vat_id],
    ['Tax', sale.tax_source === 'given' ? givenTax(sale) : 'calculated by this service'],
    ['Reverse charge', sale.reverse_charge ? 'yes' : 'no'],
    ...invoiced(sale.invoice_number),
    ['Id', element('code', {}, sale.id)],
  ])
}

/**
 * @param {string | null} id of the customer
 * @returns {[string, Child][]}
 */
function onFile(id) {
  return id === null
    ? []
    : [['On file', element('a', { href: linkTo('customers', { id }) }, 'Open the customer')]]
}

/**
 * @param {string | null} number
 * @returns {[string, Child][]}
 */
function invoiced(number) {
  return number === null ? [] : [['Invoice', number]]
}

/** @param {Transaction} sale */
function givenTax({ tax_variance, currency }) {
  if (tax_variance === null || tax_variance === 0) return 'as your invoice states it'
  return `as your invoice states it, ${formatMoney(tax_variance, currency)} from the calculated tax`
}

/**
 * @param {Transaction} sale
 * @param {Map<string, string>} products by id
 */
function linesOfSale(sale, products) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, sale.currency)
  return plainTable(
    'Lines',
    ['Item', 'Product type', '#Net', '#Rate', '#Tax'],
    sale.line_items.map((line) => [
      itemOf(line, products),
      products.get(line.product_type) ?? line.product_type,
      money(line.net_amount),
      formatRate(line.tax_rate),
      money(line.tax_amount),
    ]),
  )
}

/**
 * @param {Transaction['line_items'][number]} line
 * @param {Map<string, string>} products by id
 */
function itemOf({ description, product_type, quantity }, products) {
  const name = description ?? products.get(product_type) ?? product_type
  return quantity === 1 ? name : `${quantity} × ${name}`
}

/**
 * The taxes of all lines, added up by jurisdiction, kind and rate.
 * @param {Transaction} sale
 * @param {Map<string, string>} names
 */
function taxesOf({ line_items, currency }, names) {
  const parts = line_items.flatMap(({ tax_breakdown }) => tax_breakdown)
  if (parts.length === 0) return null
  const groups = Map.groupBy(
    parts,
    (part) => `${part.jurisdiction_id} ${part.tax_type} ${part.category} ${part.rate}`,
  )
  return plainTable(
    'Taxes',
    ['Place', 'Tax', '#Rate', '#Taxable', '#Tax amount'],
    [...groups.values()].map((own) => {
      const [first] = own
      const sum = (/** @type {'taxable_amount' | 'tax_amount'} */ name) =>
        formatMoney(
          own.reduce((total, part) => total + part[name], 0),
          currency,
        )
      return [
        names.get(first?.jurisdiction_id ?? '') ?? first?.jurisdiction_id ?? null,
        `${withSpaces(first?.tax_type ?? '')}, ${withSpaces(first?.category ?? '')}`,
        formatRate(first?.rate ?? 0),
        sum('taxable_amount'),
        sum('tax_amount'),
      ]
    }),
  )
}

/**
 * What proves the place of the customer and a lower tax.
 * @param {Transaction} sale
 * @returns {Child[]}
 */
function proofOf({ evidence, evidence_status, vat_proof, certificates, payments, currency }) {
  return [
    evidence.length === 0
      ? null
      : plainTable(
          `Evidence of the place: ${withSpaces(evidence_status)}`,
          ['Kind', 'Country', 'Value'],
          evidence.map(({ type, country, value }) => [withSpaces(type), country, value]),
        ),
    vat_proof === null
      ? null
      : definitions([
          ['VAT id checked', `${vat_proof.vat_id}: ${vat_proof.valid ? 'valid' : 'not valid'}`],
          ['By', vat_proof.source],
          ['Consultation number', vat_proof.consultation_number],
          ['At', moment(vat_proof.checked_at)],
        ]),
    certificates.length === 0
      ? null
      : plainTable(
          'Certificates',
          ['Certificate', 'Place', 'Valid'],
          certificates.map((each) => [
            each.certificate_number,
            each.jurisdiction_id,
            `${formatDay(each.valid_from)} to ${each.valid_to === null ? 'open' : formatDay(each.valid_to)}`,
          ]),
        ),
    payments.length === 0
      ? null
      : plainTable(
          'Payments',
          ['Day', 'Reference', '#Amount'],
          payments.map(({ date, reference, amount }) => [
            formatDay(date),
            reference,
            formatMoney(amount, currency),
          ]),
        ),
  ]
}

/** @param {Transaction} sale */
function refundsOf({ refunds, currency }) {
  if (refunds.length === 0) return null
  return plainTable(
    'Refunds',
    ['Date', 'Reason', '#Tax', '#Amount'],
    refunds.map((refund) => [
      moment(refund.refunded_at),
      [refund.reason, refund.credit_note_number].filter(Boolean).join(', '),
      formatMoney(refund.tax_amount, currency),
      formatMoney(refund.amount, currency),
    ]),
  )
}

/**
 * @param {Drawer} drawer
 * @param {Transaction} sale
 */
function pendingActions(drawer, sale) {
  const failed = element('div', {})
  const move = async (/** @type {'complete' | 'void'} */ to) => {
    await callApi('POST', `/v1/transactions/${sale.id}/${to}`)
    await drawer.refresh()
    recordsChanged()
    toast(to === 'complete' ? 'The sale is completed' : 'The sale is voided')
  }
  return element(
    'div',
    {},
    element('p', { class: 'quiet' }, 'A pending sale is in no return until it is completed.'),
    element(
      'div',
      { class: 'actions' },
      button('Complete', failed, () => move('complete')),
      button('Void', failed, async () => {
        const question = {
          title: 'Void this sale?',
          text: 'It stays in the list, and counts in no return. It cannot be completed later.',
          yes: 'Void the sale',
        }
        if (await confirmed(question)) await move('void')
      }),
    ),
    failed,
  )
}
