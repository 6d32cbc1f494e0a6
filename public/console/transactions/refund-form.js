import { callApi, Failure, newIdempotencyKey } from '../api.js'
import { element, field, form } from '../elements.js'
import { editableMoney, formatMoney, parseMoney } from '../format.js'
import { recordsChanged } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { RefundAnswer } from '../../../src/transactions/answers.ts'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Transaction } from './detail.js'
 * @typedef {Transaction['line_items'][number]} Line
 */

/**
 * Refunds an amount, which is spread over all lines, or single lines. Every attempt of a form sends the same
 * idempotency key, so a second click refunds nothing twice.
 * @param {Drawer} drawer
 * @param {Transaction} sale
 * @param {number} left what is not refunded yet
 */
export function refundForm(drawer, sale, left) {
  const idempotency_key = newIdempotencyKey()
  const amount = element('input', {
    inputmode: 'decimal',
    autocomplete: 'off',
    value: editableMoney(left, sale.currency),
  })
  const lines = linesToRefund(sale)
  const reason = element('input', { required: true, maxlength: 500, autocomplete: 'off' })
  const number = element('input', { maxlength: 100, autocomplete: 'off' })
  const whole = field(
    'Amount, tax included',
    amount,
    `At most ${formatMoney(left, sale.currency)}, spread over all lines`,
  )
  const kind = kindOfRefund((by_line) => {
    whole.hidden = by_line
    lines.shown.hidden = !by_line
  })
  lines.shown.hidden = true
  const made = form(
    'Refund',
    [
      ...(sale.line_items.length > 1 ? [kind.shown] : []),
      whole,
      lines.shown,
      field('Reason', reason, 'Stored with the refund'),
      field('Number of the credit note', number),
    ],
    async () => {
      const what = kind.byLine()
        ? { line_items: lines.read() }
        : { amount: parseMoney(amount.value, sale.currency, 'Amount') }
      const body = { ...what, reason: reason.value, credit_note_number: number.value.trim() || null }
      /** @type {z.output<typeof RefundAnswer>} */
      const { refund } = await callApi('POST', `/v1/transactions/${sale.id}/refund`, {
        body,
        idempotency_key,
      })
      await drawer.refresh()
      recordsChanged()
      const money = (/** @type {number} */ part) => formatMoney(part, sale.currency)
      toast(`Refunded ${money(refund.amount)}, including tax ${money(refund.tax_amount)}`)
    },
  )
  return element('section', { class: 'section', 'aria-label': 'Refund' }, element('h3', {}, 'Refund'), made)
}

/** @param {(by_line: boolean) => void} changed */
function kindOfRefund(changed) {
  const choices = /** @type {const} */ ([
    ['amount', 'An amount'],
    ['lines', 'Single lines'],
  ]).map(([value, name]) => {
    const input = element('input', { type: 'radio', name: 'refund-kind', value, checked: value === 'amount' })
    input.addEventListener('change', () => changed(value === 'lines'))
    return { input, label: element('label', { class: 'check' }, input, name) }
  })
  return {
    shown: element(
      'fieldset',
      { class: 'choices' },
      element('legend', {}, 'What'),
      ...choices.map(({ label }) => label),
    ),
    byLine: () => choices.some(({ input }) => input.value === 'lines' && input.checked),
  }
}

/** @param {Transaction} sale */
function linesToRefund({ line_items, currency }) {
  const rows = line_items.map((line) => {
    const gross = line.net_amount + line.tax_amount
    const name = line.description ?? withSpaces(line.product_type)
    const check = element('input', { type: 'checkbox' })
    const amount = element('input', {
      inputmode: 'decimal',
      autocomplete: 'off',
      placeholder: editableMoney(gross, currency),
      'aria-label': `Amount of ${name}, tax included`,
    })
    amount.addEventListener('input', () => (check.checked = amount.value !== ''))
    const shown = element(
      'div',
      { class: 'refund-line' },
      element('label', { class: 'check' }, check, `${name}, ${formatMoney(gross, currency)}`),
      amount,
    )
    return { line, name, check, amount, shown }
  })
  const read = () => {
    const chosen = rows.filter(({ check }) => check.checked)
    if (chosen.length === 0)
      throw new Failure(0, { message: 'Lines: choose at least one', reason: 'invalid_request' })
    return chosen.map(({ line, name, amount }) => ({
      id: line.id,
      ...(amount.value.trim() !== '' && { amount: parseMoney(amount.value, currency, name) }),
    }))
  }
  const hint = 'Without an amount, all that is left of the line is refunded.'
  return {
    read,
    shown: element(
      'div',
      { class: 'section' },
      ...rows.map(({ shown }) => shown),
      element('p', { class: 'quiet small' }, hint),
    ),
  }
}
