import { callApi, newIdempotencyKey } from '../api.js'
import { element, field, form } from '../elements.js'
import { secretOnce } from '../parts/secret-once.js'
import { toast } from '../parts/toast.js'
import { eventChoice } from './event-choice.js'
import { linkToWebhook } from './webhook-address.js'

/**
 * @import { z } from 'zod'
 * @import { EventTypesAnswer, NewWebhookAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 */

/**
 * The form of a new webhook. Its secret is shown once, after it is made.
 * @param {Drawer} drawer
 * @param {() => Promise<void>} reload the list
 * @returns {Promise<Child[]>}
 */
export async function newWebhook(drawer, reload) {
  drawer.setTitle('Add a webhook')
  /** @type {z.output<typeof EventTypesAnswer>} */
  const { events } = await callApi('GET', '/v1/webhooks/events/list')
  const url = element('input', { type: 'url', required: true, maxlength: 2048, autocomplete: 'off' })
  const description = element('input', { maxlength: 500, autocomplete: 'off' })
  const choice = eventChoice(events, ['*'])
  const idempotency_key = newIdempotencyKey()
  const fields = [
    field('Address', url, 'HTTPS, with a public name, such as https://hooks.example.com/tax'),
    field('Description', description, 'For your colleagues'),
    choice.shown,
  ]
  const made = form('Add the webhook', fields, async () => {
    /** @type {z.output<typeof NewWebhookAnswer>} */
    const webhook = await callApi('POST', '/v1/webhooks', {
      body: { url: url.value.trim(), description: description.value.trim() || null, events: choice.read() },
      idempotency_key,
    })
    toast('The webhook is added')
    void reload()
    const page = linkToWebhook(webhook.id)
    drawer.body.replaceChildren(showSecret(webhook.secret, () => (location.hash = page)))
  })
  return [made]
}

/**
 * @param {string | null} secret null if the same request was sent before
 * @param {() => void} done
 */
export function showSecret(secret, done) {
  if (secret === null)
    return element(
      'p',
      {},
      'The webhook was added before, and its secret is not shown again. Rotate the secret to get another one.',
    )
  const advice =
    'Your receiver checks the signature of each event with it. Store it where your server reads secrets.'
  return secretOnce('The signing secret', secret, advice, done)
}
