import type { ViewProps } from '../address.ts'
import { byOffset } from '../api.ts'
import { AddLink, Badge, Moment } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'
import { stateOf, WebhookPage } from './page.tsx'
import { linkToWebhook } from './webhook.tsx'

export { Record } from './delivery.tsx'
export { NewWebhook as New } from './forms.tsx'

/** The webhooks, or the page of one. */
export function View({ query }: ViewProps) {
  const id = query.get('webhook')
  return id === null ? <Webhooks /> : <WebhookPage id={id} status={query.get('status')} />
}

export function Actions({ query }: ViewProps) {
  return query.has('webhook') ? null : <AddLink to="webhooks" name="Add a webhook" first />
}

function Webhooks() {
  const action = <AddLink to="webhooks" name="Add a webhook" />
  const text = 'A webhook tells your server when a rate changes, a return is due or a threshold is near.'
  return (
    <PagedTable
      caption="Webhooks"
      href={({ id }) => linkToWebhook(id)}
      empty={{ title: 'No webhooks', text, action }}
      columns={[
        { head: 'Address', cell: ({ url }) => <span class="breaks">{url}</span> },
        { head: 'Description', keep: 'wide', phone: 'none', cell: ({ description }) => description },
        { head: 'Status', phone: 'figure', cell: (webhook) => <Badge word={stateOf(webhook)} /> },
        { head: 'Events', keep: 'wide', cell: ({ events }) => eventWords(events) },
        { head: 'Failures in a row', number: true, cell: ({ consecutive_failures: count }) => count || null },
        { head: 'Last success', phone: 'none', cell: (each) => <Moment at={each.last_succeeded_at} /> },
      ]}
      read={readPage}
    />
  )
}

const readPage = byOffset('/v1/webhooks', ({ webhooks }) => webhooks)

function eventWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All events'
  const [first = 'none', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
