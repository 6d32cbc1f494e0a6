import type { DeliveryWithPayloadAnswer, WebhookAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps, type ViewProps } from '../address.ts'
import { byOffset, read } from '../api.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Copy, Facts, Id, Moment, useTitle } from '../parts/parts.tsx'
import { PagedTable, PlainTable } from '../parts/table.tsx'
import { withSpaces } from '../words.ts'
import { NextAttempt, stateOf, WebhookPage } from './page.tsx'
import { linkToWebhook, StateOfDelivery } from './webhook.tsx'

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
        { head: 'Last success', phone: 'none', cell: (each) => <Moment at={each.last_succeeded_at} /> },
        { head: 'Failures in a row', number: true, cell: ({ consecutive_failures: count }) => count || null },
      ]}
      read={readPage}
    />
  )
}

const readPage = byOffset('/v1/webhooks', ({ webhooks }) => webhooks)

function eventWords(events: readonly string[]): string {
  if (events.includes('*')) return 'All but sales and refunds'
  const [first = 'none', ...others] = events
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

/** A delivery with its attempts and what it sends. */
export function Record({ id, query }: RecordProps) {
  const given = { id: query.get('webhook'), delivery_id: id }
  const path = `/v1/webhooks/${given.id}/deliveries/${id}`
  const readBoth = () =>
    Promise.all([
      read('/v1/webhooks/{id}/deliveries/{delivery_id}', given),
      read('/v1/webhooks/{id}', { id: given.id }),
    ])
  const show = ([delivery, webhook]: Awaited<ReturnType<typeof readBoth>>) => (
    <Inside delivery={delivery} webhook={webhook} path={path} />
  )
  return <Read read={readBoth} of={[path]} show={show} />
}

type DeliveryProps = { delivery: DeliveryWithPayloadAnswer; webhook: WebhookAnswer; path: string }

function Inside({ delivery, webhook, path }: DeliveryProps) {
  const { event, event_id, subject, status, attempts, next_attempt_at, created_at, payload } = delivery
  useTitle(subject ?? event, <StateOfDelivery status={status} />, [status])
  const body = JSON.stringify(payload, null, 2)
  const { transaction_id } = payload.data
  const sale = typeof transaction_id === 'string' ? transaction_id : null
  const when = status === 'pending' ? 'now' : 'again'
  const again = (idempotency_key: string) =>
    change('POST', `${path}/redeliver`, {
      idempotency_key,
      starts: true,
      told: `${subject ?? event_id} is sent ${when}`,
    })
  return (
    <>
      {attempts.length === 0 && <p class="quiet">No attempts yet.</p>}
      {attempts.length > 0 && (
        <PlainTable
          caption="Attempts"
          heads={['Attempt', 'When', 'Answer', '#Milliseconds']}
          rows={attempts.map((each) => [
            `${each.attempt}`,
            <Moment at={each.attempted_at} />,
            each.response_status ?? withSpaces(each.error ?? 'no answer'),
            each.duration_ms,
          ])}
        />
      )}
      <Deeds of={[may('webhooks:write') && { name: `Send ${when}`, act: again }]} />
      <Facts
        of={[
          ['About', sale === null ? subject : <a href={linkTo('transactions', { id: sale })}>{subject}</a>],
          ['Event', event],
          ['Created', <Moment at={created_at} />],
          ['Next attempt', <NextAttempt at={next_attempt_at} {...webhook} />],
        ]}
      />
      <section class="section">
        <h3>What is sent</h3>
        <pre class="payload" tabindex={0} role="region" aria-label="What is sent">
          {body}
        </pre>
        <div class="actions">
          <Copy text={body} />
        </div>
      </section>
      <Id of={event_id} />
    </>
  )
}
