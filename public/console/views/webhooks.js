import { callApi } from '../api.js'
import { element } from '../elements.js'
import { moment } from '../format.js'
import { badge } from '../parts/badge.js'
import { pagedTable } from '../parts/table.js'
import { showDelivery } from '../webhooks/delivery-drawer.js'
import { newWebhook } from '../webhooks/new-webhook.js'
import { linkToWebhook } from '../webhooks/webhook-address.js'
import { showWebhook } from '../webhooks/webhook-page.js'

/**
 * @import { z } from 'zod'
 * @import { WebhooksAnswer } from '../../../src/webhooks/schemas.ts'
 * @import { Child } from '../elements.js'
 * @import { Drawer } from '../parts/drawer.js'
 * @import { Page } from '../views.js'
 */

/** Reads the list of the page again. @type {() => Promise<void>} */
let reload = () => Promise.resolve()

/**
 * The webhooks, or the page of one.
 * @param {Page} page
 */
export async function show({ place, actions, query }) {
  const id = query.get('webhook')
  if (id !== null) {
    reload = await showWebhook(place, id, query.get('status'))
    return
  }
  actions.replaceChildren(element('a', { class: 'button first', href: '#/webhooks/new' }, 'Add a webhook'))
  const list = webhookList()
  reload = list.reload
  place.replaceChildren(list.shown)
  await reload()
}

/**
 * The form of a new webhook, or a delivery of the one that is shown.
 * @param {Drawer} drawer
 * @param {string} id `new`, or that of a delivery
 * @returns {Promise<Child[]>}
 */
export function open(drawer, id) {
  const again = () => reload()
  return id === 'new' ? newWebhook(drawer, again) : showDelivery(drawer, id, again)
}

function webhookList() {
  return pagedTable({
    caption: 'Webhooks',
    href: (webhook) => linkToWebhook(webhook.id),
    empty: {
      title: 'No webhooks',
      text: 'A webhook tells your server when a rate changes, a return is due or a threshold is near.',
      action: element('a', { class: 'button', href: '#/webhooks/new' }, 'Add a webhook'),
    },
    columns: [
      { head: 'Address', cell: ({ url }) => url },
      { head: 'Status', phone: 'figure', cell: ({ status }) => badge(status) },
      {
        head: 'Events',
        cell: ({ events }) => eventWords(events),
      },
      {
        head: 'Failures in a row',
        number: true,
        cell: ({ consecutive_failures }) => (consecutive_failures === 0 ? null : consecutive_failures),
      },
      { head: 'Last success', phone: 'none', cell: ({ last_succeeded_at }) => moment(last_succeeded_at) },
    ],
    read: async (cursor) => {
      const offset = cursor ?? '0'
      /** @type {z.output<typeof WebhooksAnswer>} */
      const page = await callApi('GET', '/v1/webhooks', { query: { limit: '50', offset } })
      const next = Number(offset) + page.webhooks.length
      return { rows: page.webhooks, total: page.total, next_cursor: page.has_more ? String(next) : null }
    },
  })
}

/** @param {readonly string[]} events */
function eventWords(events) {
  if (events.includes('*')) return 'all'
  const [first = 'none', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
