import { Failure } from '../api.ts'
import { element, field, form, select } from '../legacy/elements.js'
import { choice } from '../legacy/choice.js'
import { FORMS, MEMBER_STATES } from './forms.ts'
import { linkToReturn } from './return-address.ts'

/**
 * @import { z } from 'zod'
 * @import { FilingType } from '../../src/reports/schemas.ts'
 */

/**
 * Opens a return that is not in the calendar: of a form without a registration, or of other months.
 * @param {ReadonlyMap<string, string>} names of the jurisdictions
 */
export function otherReturnForm(names) {
  const types = Object.entries(FORMS)
  const type = select(
    types.map(([value, { name }]) => [value, name]),
    'generic',
  )
  const period = element('input', { required: true, autocomplete: 'off', spellcheck: 'false' })
  const place = choice('Place', [], { hint: 'The state whose return it is' })
  const offer = () => {
    const wanted = FORMS[typeOf(type.value)]
    period.placeholder = wanted.period
    place.shown.hidden = wanted.place === 'none'
    const isWanted = (/** @type {string} */ id) =>
      wanted.place === 'us_state' ? /^US-[A-Z]{2}$/.test(id) : MEMBER_STATES.includes(id)
    place.offer(
      [...names].filter(([id]) => isWanted(id)).map(([value, name]) => ({ value, name, beside: value })),
    )
  }
  type.addEventListener('change', offer)
  offer()
  const fields = [
    field('Form', type),
    field('Period', period, 'A year 2026, a quarter 2026-Q3, a month 2026-09, or months 2026-08..2026-09'),
    place.shown,
  ]
  const made = form('Show', fields, () => {
    const wanted = typeOf(type.value)
    const jurisdiction_id = FORMS[wanted].place === 'none' ? null : place.read()
    if (FORMS[wanted].place !== 'none' && jurisdiction_id === null)
      throw new Failure(0, { message: 'Place: choose the state whose return it is', reason: 'required' })
    location.hash = linkToReturn({ type: wanted, period: period.value.trim(), jurisdiction_id })
    return Promise.resolve()
  })
  return made
}

/**
 * @param {string} value
 * @returns {z.output<typeof FilingType>}
 */
function typeOf(value) {
  const found = Object.keys(FORMS).find((each) => each === value)
  return /** @type {z.output<typeof FilingType>} */ (found ?? 'generic')
}
