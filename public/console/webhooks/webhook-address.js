import { linkTo } from '../address.js'

/**
 * The link to the page of a webhook, or to the drawer of one of its deliveries.
 * @param {string} webhook
 * @param {{ delivery?: string | null, status?: string | null }} [more] `status` filters the deliveries
 */
export function linkToWebhook(webhook, { delivery = null, status = null } = {}) {
  const query = new URLSearchParams({ webhook })
  if (status !== null) query.set('status', status)
  return linkTo('webhooks', { id: delivery, query })
}
