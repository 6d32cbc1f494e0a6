import { Failure } from '../api.js'
import { element } from '../elements.js'

/**
 * @import { z } from 'zod'
 * @import { EventTypesAnswer } from '../../../src/webhooks/schemas.ts'
 */

/**
 * The choice of the events that a webhook gets.
 * @param {z.output<typeof EventTypesAnswer>['events']} types
 * @param {readonly string[]} chosen
 * @returns {{ shown: HTMLElement, read: () => string[] }} `read` throws a Failure if nothing is chosen
 */
export function eventChoice(types, chosen) {
  const boxes = [
    { type: '*', description: 'All events, but not those of each sale and refund' },
    ...types,
  ].map(({ type, description }) => ({
    type,
    description,
    box: element('input', { type: 'checkbox', checked: chosen.includes(type) }),
  }))
  const shown = element(
    'fieldset',
    { class: 'events' },
    element('legend', {}, 'Events'),
    ...boxes.map(({ type, description, box }) =>
      element(
        'label',
        { class: 'check' },
        box,
        element(
          'span',
          {},
          type === '*' ? 'All' : element('code', {}, type),
          element('span', { class: 'quiet small' }, ` ${description}`),
        ),
      ),
    ),
  )
  const read = () => {
    const wanted = boxes.filter(({ box }) => box.checked).map(({ type }) => type)
    if (wanted.length === 0)
      throw new Failure(0, { message: 'Events: choose at least one', reason: 'required' })
    return wanted
  }
  return { shown, read }
}
