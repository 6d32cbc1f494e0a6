import { linkTo } from '../address.ts'

/** The link to the page of a webhook, or to the drawer of one of its deliveries. `status` filters them. */
export function linkToWebhook(
  webhook: string,
  { delivery = null, status = null }: { delivery?: string | null; status?: string | null } = {},
): string {
  const query = new URLSearchParams({ webhook })
  if (status !== null) query.set('status', status)
  return linkTo('webhooks', { id: delivery, query })
}
