import { callApi } from '../api.js'
import { element, list } from '../elements.js'
import { formatMoney } from '../format.js'
import { load } from '../parts/load.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { CalculateAnswer } from '../../../src/calculation/answers.ts'
 * @import { Transaction } from './detail.js'
 * @typedef {z.output<typeof CalculateAnswer>} Calculation
 */

/**
 * Why the sale has this tax: the reasons that were recorded, and the rules with the law on demand. The rules
 * are not stored with a sale, so they come from a calculation of the same sale for its day.
 * @param {Transaction} sale
 */
export function why(sale) {
  const place = element('div', {})
  const details = element('details', {}, element('summary', {}, 'Show the rules, with the law'), place)
  details.addEventListener('toggle', () => void load(place, async () => rulesOf(sale), { lines: 5 }), {
    once: true,
  })
  const reasons = new Set(
    sale.line_items.map(
      ({ reason_detail, taxability_reason }) =>
        reason_detail ?? (taxability_reason === null ? null : withSpaces(taxability_reason)),
    ),
  )
  const told = [...reasons].filter((reason) => reason !== null)
  return element(
    'section',
    { class: 'section', 'aria-label': 'Why' },
    element('h3', {}, 'Why'),
    ...(told.length === 0
      ? [element('p', {}, 'The tax is as the rules of the place say.')]
      : told.map((text) => element('p', {}, text))),
    details,
  )
}

/** @param {Transaction} sale */
async function rulesOf(sale) {
  /** @type {Calculation} */
  const answer = await callApi('POST', '/v1/calculate', { body: requestOf(sale) })
  const money = (/** @type {number} */ amount) => formatMoney(amount, sale.currency)
  return element(
    'div',
    { class: 'section' },
    answer.tax_amount === sale.tax_amount
      ? null
      : element(
          'p',
          { class: 'quiet' },
          `Today, the calculation for this day gives ${money(answer.tax_amount)}, `,
          `not ${money(sale.tax_amount)}: `,
          'registrations, certificates or facts of the sale differ from those of the sale.',
        ),
    stepsOf(answer),
    list(answer.notes),
  )
}

/**
 * The rules that were applied, in the order of work, each with its law.
 * @param {Calculation} answer
 */
export function stepsOf({ trace = [] }) {
  return element(
    'ol',
    { class: 'steps' },
    ...trace.map(({ step, line, rule, outcome, basis }) =>
      element(
        'li',
        {},
        element('strong', {}, sentence(withSpaces(step)), line === null ? null : `, line ${line + 1}`),
        element('div', {}, rule),
        element('div', {}, `→ ${outcome}`),
        basis === null ? null : element('div', { class: 'law' }, basis),
      ),
    ),
  )
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The sale as a question for the calculation. Prices include tax if what was charged is not the net amount.
 * @param {Transaction} sale
 */
function requestOf(sale) {
  const { customer } = sale
  return {
    currency: sale.currency,
    transaction_date: sale.transaction_date,
    customer: { address: customer.address, vat_id: customer.vat_id },
    ...(customer.id !== null && { customer_id: customer.id, customer: undefined }),
    ship_from: sale.ship_from,
    marketplace: sale.marketplace,
    line_items: sale.line_items.map((line) => ({
      amount: line.amount,
      quantity: line.quantity,
      product_type: line.product_type,
      tax_behavior: line.amount === line.net_amount ? 'exclusive' : 'inclusive',
    })),
    explain: true,
  }
}
