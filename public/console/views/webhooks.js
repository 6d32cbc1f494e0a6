import { callApi, newIdempotencyKey } from '../api.js'
import { button, element, definitions } from '../elements.js'
import { moment } from '../format.js'
import { plainTable } from '../parts/table.js'
import { toast } from '../parts/toast.js'

/**
 * @import { z } from 'zod'
 * @import { DeliveriesAnswer, WebhookAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { WebhooksAnswer, WebhookTestAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { Page } from '../views.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @typedef {z.output<typeof DeliveriesAnswer>['deliveries'][number]} Delivery
 */

/** @param {Page} page */
export function show({ place }) {
  return showList(place)
}

/**
 * @param {Drawer} drawer
 * @param {string} id
 */
export async function open(drawer, id) {
  drawer.setTitle('Webhook')
  const place = element('div', { class: 'stack' })
  await showOne(place, id)
  return [place]
}

/** @param {HTMLElement} place */
async function showList(place) {
  /** @type {z.output<typeof WebhooksAnswer>} */
  const page = await callApi('GET', '/v1/webhooks', { query: { limit: '100' } })
  if (page.total === 0) return place.replaceChildren(element('p', {}, 'There are no webhooks yet.'))
  place.replaceChildren(
    plainTable(
      `${page.webhooks.length} of ${page.total} webhooks`,
      ['Address', 'Events', 'Status', '#Failures in a row', 'Last success'],
      page.webhooks.map((webhook) => [
        element('a', { href: `#/webhooks/${webhook.id}` }, webhook.url),
        webhook.events.join(', '),
        webhook.status,
        webhook.consecutive_failures,
        moment(webhook.last_succeeded_at),
      ]),
    ),
  )
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
async function showOne(place, id) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  /** @type {z.output<typeof WebhookAnswer>} */
  const webhook = await callApi('GET', path)
  const failed = element('div', {})
  const deliveries = element('div', {})
  const other = webhook.status === 'active' ? 'disabled' : 'active'
  place.replaceChildren(
    definitions([
      ['Address', webhook.url],
      ['Description', webhook.description],
      ['Events', webhook.events.join(', ')],
      ['Status', webhook.status],
      ['Failures in a row', `${webhook.consecutive_failures} of 5`],
      ['Last success', moment(webhook.last_succeeded_at)],
      ['Last failure', moment(webhook.last_failed_at)],
    ]),
    element(
      'div',
      { class: 'actions' },
      button('Send a test event', failed, () => sendTest(path)),
      button(other === 'active' ? 'Enable' : 'Disable', failed, async () => {
        await callApi('PUT', path, { body: { status: other } })
        await showOne(place, id)
        toast(`The webhook is ${other}`)
      }),
    ),
    failed,
    deliveries,
  )
  await showDeliveries(deliveries, path, null)
}

/** @param {string} path */
async function sendTest(path) {
  /** @type {z.output<typeof WebhookTestAnswer>} */
  const { success, response_status, error, duration_ms } = await callApi('POST', `${path}/test`, { body: {} })
  toast(
    `${success ? 'It arrived' : 'It did not arrive'}: ${response_status ?? error} after ${duration_ms} ms`,
  )
}

/**
 * @param {HTMLElement} place
 * @param {string} path
 * @param {string | null} cursor
 */
async function showDeliveries(place, path, cursor) {
  /** @type {z.output<typeof DeliveriesAnswer>} */
  const page = await callApi('GET', `${path}/deliveries`, { query: { limit: '25', cursor } })
  const failed = element('div', {})
  const { next_cursor } = page
  place.replaceChildren(
    page.deliveries.length === 0
      ? element('p', {}, 'There are no deliveries yet.')
      : plainTable(
          'Deliveries, newest first',
          ['When', 'Event', 'Status', 'Attempts', 'Next attempt', 'Action'],
          page.deliveries.map((delivery) => [
            moment(delivery.created_at),
            `${delivery.event} (${delivery.event_id})`,
            delivery.status,
            attemptsOf(delivery),
            delivery.next_attempt_at && moment(delivery.next_attempt_at),
            delivery.status === 'pending'
              ? ''
              : button(
                  'Send again',
                  failed,
                  () => sendAgain(place, path, delivery),
                  `Send again: ${delivery.event_id}`,
                ),
          ]),
        ),
    failed,
    ...(next_cursor === null
      ? []
      : [button('Show older deliveries', failed, () => showDeliveries(place, path, next_cursor))]),
  )
}

/**
 * @param {HTMLElement} place
 * @param {string} path
 * @param {Delivery} delivery
 */
async function sendAgain(place, path, delivery) {
  await callApi('POST', `${path}/deliveries/${delivery.id}/redeliver`, {
    idempotency_key: newIdempotencyKey(),
  })
  await showDeliveries(place, path, null)
  toast(`${delivery.event_id} is sent again`)
}

/** @param {Delivery} delivery */
function attemptsOf({ attempts }) {
  const last = attempts.at(-1)
  return last === undefined
    ? 'none'
    : `${attempts.length}, last: ${last.response_status ?? last.error} in ${last.duration_ms} ms`
}
