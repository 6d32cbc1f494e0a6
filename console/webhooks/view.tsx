import type { z } from 'zod'
import type { WebhooksAnswer } from '../../src/webhooks/schemas.ts'
import { Badge } from '../parts/badge.tsx'
import { byOffset } from '../parts/pages.ts'
import { AddLink } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import type { RecordProps, ViewProps } from '../view-module.ts'
import { DeliveryRecord } from './delivery.tsx'
import { NewWebhook } from './forms.tsx'
import { stateOf, WebhookPage } from './page.tsx'
import { linkToWebhook } from './webhook-address.ts'

/** The webhooks, or the page of one. */
export function View({ query }: ViewProps) {
  const id = query.get('webhook')
  return id === null ? <Webhooks /> : <WebhookPage id={id} status={query.get('status')} />
}

export function Actions({ query }: ViewProps) {
  return query.has('webhook') ? null : <AddLink to="webhooks" name="Add a webhook" first />
}

/** The form of a new webhook, or a delivery of the one that is shown. */
export function Record({ id, query }: RecordProps) {
  return (
    <div class="drawer-body">{id === 'new' ? <NewWebhook /> : <DeliveryRecord id={id} query={query} />}</div>
  )
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
        {
          head: 'Failures in a row',
          number: true,
          cell: ({ consecutive_failures }) => (consecutive_failures === 0 ? null : consecutive_failures),
        },
        {
          head: 'Last success',
          phone: 'none',
          cell: ({ last_succeeded_at }) => <Moment at={last_succeeded_at} />,
        },
      ]}
      read={readPage}
    />
  )
}

const readPage = byOffset('/v1/webhooks', ({ webhooks }: z.output<typeof WebhooksAnswer>) => webhooks)

function eventWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All but sales and refunds'
  const [first = 'none', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
