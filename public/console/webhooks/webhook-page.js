import { callApi, newIdempotencyKey } from '../api.js'
import { button, definitions, element, field, form } from '../elements.js'
import { dayOf, moment } from '../format.js'
import { badge } from '../parts/badge.js'
import { confirmed } from '../parts/confirm.js'
import { load } from '../parts/load.js'
import { pagedTable } from '../parts/table.js'
import { toast } from '../parts/toast.js'
import { counted, withSpaces } from '../words.js'
import { eventChoice } from './event-choice.js'
import { showSecret } from './new-webhook.js'
import { linkToWebhook } from './webhook-address.js'

/**
 * @import { z } from 'zod'
 * @import { DeliveriesAnswer, EventTypesAnswer, RecoverAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { RotatedSecretAnswer, WebhookAnswer, WebhookTestAnswer } from '../../../src/webhooks/schemas.ts'
 * @typedef {z.output<typeof WebhookAnswer>} Webhook
 * @typedef {z.output<typeof DeliveriesAnswer>['deliveries'][number]} Delivery
 */

const FAILURES_MAX = 5
const STATUSES = /** @type {const} */ (['succeeded', 'pending', 'failed', 'expired'])

/**
 * The page of a webhook: its state, its settings, and its deliveries. Returns what reads the deliveries again.
 * @param {HTMLElement} place
 * @param {string} id
 * @param {string | null} status filters the deliveries
 */
export async function showWebhook(place, id, status) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const deliveries = deliveriesOf(path, id, status)
  const head = element('div', {})
  const readHead = () =>
    load(head, async () => webhookHead(await callApi('GET', path), path, readHead), { lines: 3 })
  place.replaceChildren(
    element(
      'div',
      { class: 'stack' },
      element('a', { class: 'back always', href: '#/webhooks' }, 'All webhooks'),
      head,
      element('h2', {}, 'Deliveries, the newest first'),
      statusLinks(id, status),
      deliveries.shown,
    ),
  )
  await Promise.all([readHead(), deliveries.reload()])
  return deliveries.reload
}

/**
 * @param {Webhook} webhook
 * @param {string} path
 * @param {() => Promise<void>} again
 */
function webhookHead(webhook, path, again) {
  const { status, consecutive_failures } = webhook
  const failed = element('div', {})
  const other = status === 'active' ? 'disabled' : 'active'
  return element(
    'section',
    { class: 'card stack', 'aria-labelledby': 'webhook' },
    element('h2', { id: 'webhook', class: 'long' }, webhook.url, ' ', badge(status)),
    webhook.description === null ? null : element('p', {}, webhook.description),
    status === 'active'
      ? null
      : element(
          'p',
          { class: 'failure' },
          consecutive_failures >= FAILURES_MAX
            ? `It was disabled after ${counted(consecutive_failures, 'failure')} in a row. Mend the receiver, then enable it: the events of the last three days are sent.`
            : 'It is disabled and gets no events. When it is enabled, the events of the last three days are sent.',
        ),
    definitions([
      ['Events', webhook.events.map((type) => (type === '*' ? 'all' : type)).join(', ')],
      ['Failures in a row', `${consecutive_failures} of ${FAILURES_MAX}`],
      ['Last success', moment(webhook.last_succeeded_at)],
      ['Last failure', moment(webhook.last_failed_at)],
    ]),
    element(
      'div',
      { class: 'actions' },
      button('Send a test event', failed, () => sendTest(path)),
      button(other === 'active' ? 'Enable' : 'Disable', failed, async () => {
        await callApi('PUT', path, { body: { status: other } })
        toast(`The webhook is ${other}`)
        await again()
      }),
    ),
    failed,
    settingsOf(webhook, path, again),
    secretPart(webhook, path, again),
    recoverPart(path),
    deletePart(webhook, path),
  )
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
 * A part that opens: what is inside is made when it is first opened.
 * @param {string} title
 * @param {() => Promise<HTMLElement[]> | HTMLElement[]} make
 */
function folded(title, make) {
  const inside = element('div', { class: 'stack folded' })
  const part = element('details', {}, element('summary', {}, title), inside)
  part.addEventListener(
    'toggle',
    () => part.open && !inside.hasChildNodes() && void load(inside, async () => make()),
  )
  return part
}

/**
 * @param {Webhook} webhook
 * @param {string} path
 * @param {() => Promise<void>} again
 */
function settingsOf(webhook, path, again) {
  return folded('Change address, events and description', async () => {
    /** @type {z.output<typeof EventTypesAnswer>} */
    const { events } = await callApi('GET', '/v1/webhooks/events/list')
    const url = element('input', { type: 'url', required: true, maxlength: 2048, value: webhook.url })
    const description = element('input', { maxlength: 500, value: webhook.description ?? '' })
    const choice = eventChoice(events, webhook.events)
    const fields = [field('Address', url), field('Description', description), choice.shown]
    return [
      form('Save', fields, async () => {
        const body = {
          url: url.value.trim(),
          description: description.value.trim() || null,
          events: choice.read(),
        }
        await callApi('PUT', path, { body })
        toast('The webhook is changed')
        await again()
      }),
    ]
  })
}

/**
 * @param {Webhook} webhook
 * @param {string} path
 * @param {() => Promise<void>} again
 */
function secretPart({ previous_secret_until }, path, again) {
  return folded('Rotate the signing secret', () => {
    const hours = element('input', { type: 'number', min: 1, max: 72, value: 24 })
    const idempotency_key = newIdempotencyKey()
    const place = element('div', { class: 'stack' })
    place.append(
      element(
        'p',
        { class: 'quiet' },
        previous_secret_until === null
          ? 'A new secret replaces the old one.'
          : element('span', {}, 'The old secret also signs until ', moment(previous_secret_until), '.'),
      ),
      form(
        'Rotate',
        [field('Hours in which the old one also signs', hours, 'Empty: the old one ends at once')],
        async () => {
          const body = hours.value === '' ? {} : { grace_hours: Number(hours.value) }
          /** @type {z.output<typeof RotatedSecretAnswer>} */
          const { secret } = await callApi('POST', `${path}/rotate-secret`, { body, idempotency_key })
          place.replaceChildren(showSecret(secret, () => void again()))
        },
      ),
    )
    return [place]
  })
}

/** @param {string} path */
function recoverPart(path) {
  return folded('Send missed events again', () => {
    const since = element('input', { type: 'datetime-local', required: true })
    return [
      form('Send', [field('Since', since, 'In your own time zone, at most 30 days ago')], async () => {
        /** @type {z.output<typeof RecoverAnswer>} */
        const { recovered, has_more } = await callApi('POST', `${path}/recover`, {
          body: { since: new Date(since.value).toISOString() },
          idempotency_key: newIdempotencyKey(),
        })
        toast(`${counted(recovered, 'event')} are sent now${has_more ? '. More remain: send again' : ''}`)
      }),
    ]
  })
}

/**
 * @param {Webhook} webhook
 * @param {string} path
 */
function deletePart({ url }, path) {
  const failed = element('div', {})
  const remove = button('Delete the webhook…', failed, async () => {
    const sure = await confirmed({
      title: 'Delete this webhook?',
      text: `${url} gets no more events. Its deliveries are deleted, too.`,
      yes: 'Delete',
    })
    if (!sure) return
    await callApi('DELETE', path)
    toast('The webhook is deleted')
    location.hash = '#/webhooks'
  })
  remove.classList.add('dangerous')
  return element('div', {}, remove, failed)
}

/**
 * @param {string} id
 * @param {string | null} chosen
 */
function statusLinks(id, chosen) {
  return element(
    'nav',
    { class: 'choices', 'aria-label': 'Deliveries by status' },
    ...[null, ...STATUSES].map((status) =>
      element(
        'a',
        { href: linkToWebhook(id, { status }), 'aria-current': status === chosen && 'true' },
        status === null ? 'All' : status.charAt(0).toUpperCase() + status.slice(1),
      ),
    ),
  )
}

/**
 * @param {string} path
 * @param {string} id
 * @param {string | null} status
 */
function deliveriesOf(path, id, status) {
  return pagedTable({
    caption: 'Deliveries, the newest first',
    href: (/** @type {Delivery} */ delivery) => linkToWebhook(id, { delivery: delivery.id, status }),
    empty: {
      title: status === null ? 'No deliveries' : `No deliveries with this status`,
      text: 'An event that this webhook subscribes to appears here within minutes.',
    },
    columns: [
      { head: 'Event', cell: ({ event }) => event },
      { head: 'Status', phone: 'figure', cell: (delivery) => badge(delivery.status) },
      { head: 'Created', cell: ({ created_at }) => moment(created_at) },
      { head: 'Attempts', cell: attemptWords },
      { head: 'Next attempt', cell: ({ next_attempt_at }) => next_attempt_at && dayOf(next_attempt_at) },
    ],
    read: async (cursor) => {
      /** @type {z.output<typeof DeliveriesAnswer>} */
      const page = await callApi('GET', `${path}/deliveries`, { query: { limit: '25', cursor, status } })
      return { rows: page.deliveries, total: null, next_cursor: page.next_cursor }
    },
  })
}

/** @param {Delivery} delivery */
function attemptWords({ attempts }) {
  const last = attempts.at(-1)
  if (last === undefined) return 'none yet'
  const answer = last.response_status ?? withSpaces(last.error ?? 'no answer')
  return `${attempts.length}, the last: ${answer} in ${last.duration_ms} ms`
}
