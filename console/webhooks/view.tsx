import type { z } from 'zod'
import type { WebhooksAnswer } from '../../src/webhooks/schemas.ts'
import { callApi } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { PagedTable, type PageOfRows } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { may } from '../scopes.ts'
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
  return query.has('webhook') || !may('webhooks:write') ? null : (
    <a class="button first" href="#/webhooks/new">
      Add a webhook
    </a>
  )
}

/** The form of a new webhook, or a delivery of the one that is shown. */
export function Record({ id, query }: RecordProps) {
  return (
    <div class="drawer-body">{id === 'new' ? <NewWebhook /> : <DeliveryRecord id={id} query={query} />}</div>
  )
}

function Webhooks() {
  const action = (
    <a class="button" href="#/webhooks/new">
      Add a webhook
    </a>
  )
  const text = 'A webhook tells your server when a rate changes, a return is due or a threshold is near.'
  return (
    <PagedTable
      caption="Webhooks"
      href={({ id }) => linkToWebhook(id)}
      empty={{ title: 'No webhooks', text, action }}
      columns={[
        { head: 'Address', cell: ({ url }) => <span class="breaks">{url}</span> },
        { head: 'Description', phone: 'none', cell: ({ description }) => description },
        { head: 'Status', phone: 'figure', cell: (webhook) => <Badge word={stateOf(webhook)} /> },
        { head: 'Events', cell: ({ events }) => eventWords(events) },
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

async function readPage(
  cursor: string | null,
  limit: number,
): Promise<PageOfRows<z.output<typeof WebhooksAnswer>['webhooks'][number]>> {
  const offset = cursor ?? '0'
  const query = { limit: String(limit), offset }
  const page = await callApi<z.output<typeof WebhooksAnswer>>('GET', '/v1/webhooks', { query })
  const next = Number(offset) + page.webhooks.length
  return { rows: page.webhooks, total: page.total, next_cursor: page.has_more ? String(next) : null }
}

function eventWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All events'
  const [first = 'none', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
