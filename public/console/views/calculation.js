import { callApi } from '../api.js'
import { element, definitions, field, form, list, announce, select } from '../elements.js'
import { parseMoney, formatRate, formatMoney } from '../format.js'
import { plainTable } from '../parts/table.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { CalculateAnswer, ProductTypesAnswer } from '../../../src/calculation/answers.ts'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof CalculateAnswer>} Calculation
 * @typedef {{ row: HTMLElement, amount: HTMLInputElement, product_type: HTMLSelectElement }} Line
 */

const BEHAVIORS = /** @type {[string, string][]} */ ([
  ['exclusive', 'Tax is added to the amounts'],
  ['inclusive', 'Tax is included in the amounts'],
])

/** @param {Page} page */
export async function show({ place }) {
  /** @type {z.output<typeof ProductTypesAnswer>} */
  const { product_types } = await callApi('GET', '/v1/metadata/product-types')
  const choices = product_types.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]))
  const fields = fieldsOfSale()
  const lines = linesOf(choices)
  const result = element('section', { 'aria-label': 'Result' })
  const sale = element('div', { class: 'fields' }, ...fields.shown)
  place.append(
    form('Calculate', [sale, lines.shown], async () => {
      result.replaceChildren()
      /** @type {Calculation} */
      const answer = await callApi('POST', '/v1/calculate', {
        body: { ...fields.read(), line_items: lines.read(fields.currency()) },
      })
      result.replaceChildren(...resultElements(answer))
      const money = (/** @type {number} */ amount) => formatMoney(amount, answer.currency)
      announce(`Tax ${money(answer.tax_amount)}, total ${money(answer.total)}`)
    }),
    result,
  )
}

function fieldsOfSale() {
  const code = { maxlength: 2, size: 4, autocomplete: 'off', spellcheck: 'false' }
  const seller = element('input', { ...code, value: 'DE' })
  const registrations = element('input', { value: 'oss_union', autocomplete: 'off', spellcheck: 'false' })
  const country = element('input', { ...code, value: 'FR', required: true })
  const region = element('input', { autocomplete: 'off' })
  const postal_code = element('input', { value: '75002', autocomplete: 'off' })
  const vat_id = element('input', { autocomplete: 'off', spellcheck: 'false' })
  const currency = element('input', { ...code, maxlength: 3, value: 'EUR', required: true })
  const behavior = select(BEHAVIORS, 'exclusive')
  const read = () => ({
    currency: currency.value,
    ...(seller.value !== '' && {
      seller: { country: seller.value, registrations: registrations.value.split(/[\s,]+/).filter(Boolean) },
    }),
    customer: {
      address: {
        country: country.value,
        region: region.value || null,
        postal_code: postal_code.value || null,
      },
      vat_id: vat_id.value || null,
    },
    tax_behavior: behavior.value,
    explain: true,
  })
  return {
    read,
    currency: () => currency.value.toUpperCase(),
    shown: [
      field('Seller’s country', seller, 'Two letters. Empty: that of the account'),
      field('Seller’s registrations', registrations, 'Such as FR, US-CA, oss_union'),
      field('Customer’s country', country, 'Two letters'),
      field('Customer’s state or province', region, 'Such as CA. Empty: from the postal code'),
      field('Customer’s postal code', postal_code),
      field('Customer’s VAT id', vat_id, 'For a business'),
      field('Currency', currency, 'Three letters'),
      field('Tax behaviour', behavior),
    ],
  }
}

/** @param {[string, string][]} choices */
function linesOf(choices) {
  /** @type {Line[]} */
  const lines = []
  const rows = element('div', {})
  const more = element('button', { type: 'button' }, 'Add a line')
  const add = () => {
    const line = lineOf(choices, lines.length + 1)
    const remove = element(
      'button',
      { type: 'button', 'aria-label': `Remove line ${lines.length + 1}` },
      'Remove',
    )
    remove.addEventListener('click', () => {
      lines.splice(lines.indexOf(line), 1)
      line.row.remove()
      more.focus()
    })
    if (lines.length > 0) line.row.append(remove)
    lines.push(line)
    rows.append(line.row)
    return line
  }
  more.addEventListener('click', () => add().amount.focus())
  add().amount.value = '19.99'
  return {
    shown: element('fieldset', {}, element('legend', {}, 'Lines'), rows, more),
    read: (/** @type {string} */ currency) =>
      lines.map(({ amount, product_type }, index) => ({
        amount: parseMoney(amount.value, currency, `Line ${index + 1}`),
        product_type: product_type.value,
      })),
  }
}

/**
 * @param {[string, string][]} choices
 * @param {number} number
 * @returns {Line}
 */
function lineOf(choices, number) {
  const amount = element('input', { inputmode: 'decimal', autocomplete: 'off', required: true })
  const product_type = select(choices, 'saas')
  const row = element(
    'div',
    { class: 'fields line', role: 'group', 'aria-label': `Line ${number}` },
    field('Amount, such as 19.99', amount),
    field('Product type', product_type),
  )
  return { row, amount, product_type }
}

/** @param {Calculation} answer */
function resultElements(answer) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, answer.currency)
  return [
    element('h2', {}, 'Result'),
    element(
      'p',
      { class: 'overall' },
      `Tax ${money(answer.tax_amount)} · total ${money(answer.total)}`,
      ` · ${answer.jurisdiction_name} (${answer.jurisdiction_id})`,
    ),
    definitions([
      ['Subtotal', money(answer.subtotal)],
      ['Tax', money(answer.tax_amount)],
      ['Total', money(answer.total)],
      ['Rate', formatRate(answer.tax_rate)],
      ['Collect', `${answer.decision.collect ? 'yes' : 'no'}: ${withSpaces(answer.decision.reason)}`],
      ['Reverse charge', answer.reverse_charge ? 'yes' : 'no'],
      ['Data', `${answer.meta.data_freshness}, ${answer.meta.data_version}`],
    ]),
    list([
      ...answer.notes,
      ...answer.line_items.flatMap((line, index) => line.notes.map((note) => `Line ${index + 1}: ${note}`)),
    ]),
    plainTable(
      'Lines',
      ['Product type', '#Net', '#Rate', '#Tax', 'Why'],
      answer.line_items.map((line) => [
        withSpaces(line.product_type),
        money(line.net_amount),
        formatRate(line.tax_rate),
        money(line.tax_amount),
        line.taxability_reason && withSpaces(line.taxability_reason),
      ]),
    ),
    plainTable(
      'Taxes',
      ['Jurisdiction', 'Tax', 'Category', '#Rate', '#Taxable', '#Tax amount'],
      answer.tax_breakdown.map((part) => [
        part.jurisdiction_id,
        part.tax_type,
        withSpaces(part.category),
        formatRate(part.rate),
        money(part.taxable_amount),
        money(part.tax_amount),
      ]),
    ),
    plainTable(
      'Steps of the calculation, amounts in minor units',
      ['Step', '#Line', 'Rule', 'Outcome', 'Legal basis'],
      (answer.trace ?? []).map(({ step, line, rule, outcome, basis }) => [
        withSpaces(step),
        line === null ? null : line + 1,
        rule,
        outcome,
        basis,
      ]),
    ),
  ].filter((part) => part !== null)
}
