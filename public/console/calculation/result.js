import { definitions, element, list } from '../elements.js'
import { formatMoney, formatRate, moment } from '../format.js'
import { badge } from '../parts/badge.js'
import { plainTable } from '../parts/table.js'
import { stepsOf } from '../transactions/why.js'
import { withSpaces } from '../words.js'

/** @import { Calculation } from '../views/calculation.js' */

/**
 * The answer of a calculation: the total first, then why.
 * @param {Calculation} answer
 * @param {ReadonlyMap<string, string>} places by id
 * @param {ReadonlyMap<string, string>} products by id
 */
export function calculationResult(answer, places, products) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, answer.currency)
  const notes = [
    ...answer.notes,
    ...answer.line_items.flatMap((line, index) => line.notes.map((note) => `Line ${index + 1}: ${note}`)),
  ]
  const shown = element(
    'div',
    { class: 'card stack' },
    element('h2', {}, `${answer.jurisdiction_name} (${answer.jurisdiction_id})`),
    element(
      'div',
      {},
      element('p', { class: 'sum' }, money(answer.total)),
      element('p', { class: 'overall' }, `${money(answer.tax_amount)} tax on ${money(answer.subtotal)}`),
    ),
    definitions([
      ['Rate', formatRate(answer.tax_rate)],
      ['Collect', `${answer.decision.collect ? 'yes' : 'no'}: ${withSpaces(answer.decision.reason)}`],
      ['Reverse charge', answer.reverse_charge ? 'yes' : 'no'],
      [
        'Data',
        element(
          'span',
          {},
          badge(answer.meta.data_freshness),
          ' read ',
          moment(answer.meta.last_verified_at),
        ),
      ],
    ]),
    list(notes),
    plainTable(
      'Lines',
      ['Product type', '#Net', '#Rate', '#Tax', 'Why'],
      answer.line_items.map((line) => [
        products.get(line.product_type) ?? line.product_type,
        money(line.net_amount),
        formatRate(line.tax_rate),
        money(line.tax_amount),
        line.reason_detail ?? (line.taxability_reason && withSpaces(line.taxability_reason)),
      ]),
    ),
    plainTable(
      'Taxes',
      ['Place', 'Tax', '#Rate', '#Taxable', '#Tax amount'],
      answer.tax_breakdown.map((part) => [
        places.get(part.jurisdiction_id) ?? part.jurisdiction_id,
        `${part.tax_type}, ${withSpaces(part.category)}`,
        formatRate(part.rate),
        money(part.taxable_amount),
        money(part.tax_amount),
      ]),
    ),
    element(
      'details',
      { open: true },
      element('summary', {}, 'The rules, with the law; amounts in minor units'),
      stepsOf(answer),
    ),
  )
  return [shown]
}
