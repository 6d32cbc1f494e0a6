import { callApi } from '../api.ts'
import { button, element } from '../legacy/elements.js'
import { dayOf } from '../legacy/format.js'
import { confirmed } from '../parts/dialog.tsx'
import { secretOnce } from '../legacy/secret-once.js'
import { toast } from '../parts/toast.tsx'

/**
 * @import { z } from 'zod'
 * @import { CalendarFeedAnswer, NewCalendarFeedAnswer } from '../../src/obligations/schemas.ts'
 */

const PATH = '/v1/obligations/calendar'

/** The secret address of due dates for calendar programs. */
export async function calendarCard() {
  const card = element('section', { class: 'card stack', 'aria-labelledby': 'calendar' })
  await fillCard(card)
  return card
}

/** @param {HTMLElement} card */
async function fillCard(card) {
  /** @type {z.output<typeof CalendarFeedAnswer>} */
  const { created_at } = await callApi('GET', PATH)
  const failed = element('div', {})
  const create = button(
    created_at === null ? 'Make an address' : 'Replace the address…',
    failed,
    async () => {
      if (created_at !== null && !(await mayReplace())) return
      /** @type {z.output<typeof NewCalendarFeedAnswer>} */
      const { url } = await callApi('POST', PATH)
      const address = new URL(url ?? '', location.origin).href
      const advice =
        'Subscribe to it in your calendar program. Who has it can read places, periods and days, no amounts.'
      card.replaceChildren(secretOnce('The calendar address', address, advice, () => void fillCard(card)))
    },
  )
  const revoke = button('Revoke…', failed, async () => {
    const sure = await confirmed({
      title: 'Revoke the calendar address?',
      text: 'Calendar programs that use it get nothing more.',
      yes: 'Revoke',
    })
    if (!sure) return
    await callApi('DELETE', PATH)
    toast('The calendar address is revoked')
    await fillCard(card)
  })
  card.replaceChildren(
    element('h2', { id: 'calendar' }, 'Due dates in your calendar'),
    created_at === null
      ? element('p', { class: 'quiet' }, 'A calendar program can show the due dates of your returns.')
      : element(
          'p',
          { class: 'quiet' },
          'An address was made on ',
          dayOf(created_at),
          '. It is shown only once.',
        ),
    element('div', { class: 'actions' }, create, ...(created_at === null ? [] : [revoke])),
    failed,
  )
}

function mayReplace() {
  return confirmed({
    title: 'Replace the calendar address?',
    text: 'The old address stops at once.',
    yes: 'Replace',
  })
}
