import { readAddress } from '../address.js'
import { callApi, newIdempotencyKey } from '../api.js'
import { button, copyButton, definitions, element } from '../elements.js'
import { moment } from '../format.js'
import { badge } from '../parts/badge.js'
import { plainTable } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { withSpaces } from '../words.js'

/**
 * @import { z } from 'zod'
 * @import { DeliveryWithPayloadAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof DeliveryWithPayloadAnswer>} Delivery
 */

/**
 * A delivery with its attempts and what it sends.
 * @param {Drawer} drawer
 * @param {string} id
 * @param {() => Promise<void>} reload the list
 * @returns {Promise<Child[]>}
 */
export async function showDelivery(drawer, id, reload) {
  const webhook = readAddress().query.get('webhook') ?? ''
  const path = `/v1/webhooks/${encodeURIComponent(webhook)}/deliveries/${encodeURIComponent(id)}`
  /** @type {Delivery} */
  const delivery = await callApi('GET', path)
  drawer.setTitle(delivery.event, badge(delivery.status))
  const body = JSON.stringify(delivery.payload, null, 2)
  return [
    definitions([
      ['Event', delivery.event_id],
      ['Created', moment(delivery.created_at)],
      ['Next attempt', delivery.next_attempt_at === null ? 'none' : moment(delivery.next_attempt_at)],
    ]),
    delivery.attempts.length === 0
      ? element('p', { class: 'quiet' }, 'There was no attempt yet.')
      : plainTable(
          'Attempts',
          ['Attempt', 'When', 'Answer', '#Milliseconds'],
          delivery.attempts.map((each) => [
            `${each.attempt}`,
            moment(each.attempted_at),
            each.response_status ?? withSpaces(each.error ?? 'no answer'),
            each.duration_ms,
          ]),
        ),
    delivery.status === 'pending' ? null : sendAgain(drawer, path, delivery, reload),
    element(
      'section',
      { class: 'stack' },
      element('h3', {}, 'What is sent'),
      element('pre', { class: 'payload', tabindex: 0, role: 'region', 'aria-label': 'What is sent' }, body),
      element('div', { class: 'actions' }, copyButton(body)),
    ),
  ]
}

/**
 * @param {Drawer} drawer
 * @param {string} path
 * @param {Delivery} delivery
 * @param {() => Promise<void>} reload
 */
function sendAgain(drawer, path, { event_id }, reload) {
  const failed = element('div', {})
  const again = button('Send again', failed, async () => {
    await callApi('POST', `${path}/redeliver`, { idempotency_key: newIdempotencyKey() })
    toast(`${event_id} is sent again`)
    await Promise.all([drawer.refresh(), reload()])
  })
  return element('div', {}, again, failed)
}
