import { element, field } from '../elements.js'
import { parseMoney } from '../format.js'
import { choice } from '../parts/choice.js'

/**
 * @import { Choice, Option } from '../parts/choice.js'
 * @typedef {{ row: HTMLElement, amount: HTMLInputElement, product_type: Choice }} Line
 */

/**
 * The lines of a sale, each with its amount and product type.
 * @param {Option[]} products
 */
export function linesOf(products) {
  /** @type {Line[]} */
  const lines = []
  const rows = element('div', { class: 'stack' })
  const more = element('button', { type: 'button' }, 'Add a line')
  const add = () => {
    const line = lineOf(products, lines.length + 1)
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
    if (lines.length > 0) line.row.append(element('div', {}, remove))
    lines.push(line)
    rows.append(line.row)
    return line
  }
  more.addEventListener('click', () => add().amount.focus())
  add().amount.value = '19.99'
  return {
    shown: element(
      'fieldset',
      { class: 'stack' },
      element('legend', {}, 'Lines'),
      rows,
      element('div', {}, more),
    ),
    read: (/** @type {string} */ currency) =>
      lines.map(({ amount, product_type }, index) => ({
        amount: parseMoney(amount.value, currency, `Line ${index + 1}`),
        product_type: product_type.read(),
      })),
  }
}

/**
 * @param {Option[]} products
 * @param {number} number
 * @returns {Line}
 */
function lineOf(products, number) {
  const amount = element('input', { inputmode: 'decimal', autocomplete: 'off', required: true })
  const product_type = choice('Product type', products, { chosen: 'saas', required: true })
  const told = element('span', { class: 'quiet hint' })
  const tell = () => {
    const value = product_type.input.value.trim()
    told.replaceChildren(products.find(({ name }) => name === value)?.beside ?? '')
  }
  product_type.input.addEventListener('change', tell)
  product_type.shown.append(told)
  tell()
  const row = element(
    'div',
    { class: 'fields', role: 'group', 'aria-label': `Line ${number}` },
    field('Amount', amount, 'Such as 19.99 or 19,99'),
    product_type.shown,
  )
  return { row, amount, product_type }
}
