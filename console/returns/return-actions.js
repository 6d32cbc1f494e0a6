import { callApi, newIdempotencyKey } from '../api.ts'
import { button, element } from '../legacy/elements.js'
import { formatDay } from '../legacy/format.js'
import { askedReason } from '../parts/dialog.tsx'
import { confirmed } from '../parts/dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { periodWords } from './period-words.ts'

/**
 * @import { TaxReturn } from './read-return.ts'
 */

/**
 * The buttons of a return: freeze an open one, reopen a filed one.
 * @param {TaxReturn} shown
 * @param {Record<string, string | null>} asked the query of the period
 * @param {() => void} changed shows the return again
 */
export function returnActions({ figures, filed }, asked, changed) {
  const failed = element('div', {})
  if (filed === null) return [freezeButton(figures, asked, failed, changed), failed]
  if (filed.status === 'filed') return [reopenButton(figures, filed.id, failed, changed), failed]
  return []
}

/**
 * @param {TaxReturn['figures']} figures
 * @param {Record<string, string | null>} asked
 * @param {HTMLElement} failed
 * @param {() => void} changed
 */
function freezeButton(
  { period, period_ended, to_date, unconverted, boxes, supplies },
  asked,
  failed,
  changed,
) {
  if (!period_ended)
    return element(
      'p',
      { class: 'quiet' },
      `The period ends on ${formatDay(to_date)}. It can be filed after that day.`,
    )
  if (unconverted.length > 0)
    return element(
      'p',
      { class: 'quiet' },
      'Give the missing exchange rates below before you file this return.',
    )
  const { type = null, jurisdiction_id, fx_rates } = asked
  const idempotency_key = newIdempotencyKey()
  const made = button('Freeze and mark as filed', failed, async () => {
    const empty = boxes.length + supplies.length === 0
    const sure = await confirmed({
      title: `File ${periodWords(period)}?`,
      text:
        `${empty ? 'A nil return is kept.' : 'Its figures and the rows behind them are kept as they are now.'} ` +
        'Sales and refunds of these days that are recorded later go into the next return as corrections. ' +
        'Nothing is sent to the tax office: file the return there, too.',
      yes: 'Freeze and mark as filed',
    })
    if (!sure) return
    const body = { type, period, ...(jurisdiction_id && { jurisdiction_id }), ...(fx_rates && { fx_rates }) }
    await callApi('POST', '/v1/returns', { body, idempotency_key })
    toast(`${periodWords(period)} is filed`)
    changed()
  })
  made.classList.add('first')
  return made
}

/**
 * @param {TaxReturn['figures']} figures
 * @param {string} id
 * @param {HTMLElement} failed
 * @param {() => void} changed
 */
function reopenButton({ period }, id, failed, changed) {
  const idempotency_key = newIdempotencyKey()
  return button('Reopen…', failed, async () => {
    const reason = await askedReason({
      title: `Reopen ${periodWords(period)}?`,
      text:
        'The filed figures stay as an old version. The period is open again, with all that was recorded since. ' +
        'If the return is at the tax office already, correct it there, too.',
      yes: 'Reopen',
      hint: 'It is kept with the return and in the audit log',
    })
    if (reason === null) return
    await callApi('POST', `/v1/returns/${id}/reopen`, { body: { reason }, idempotency_key })
    toast(`${periodWords(period)} is open again`)
    changed()
  })
}
