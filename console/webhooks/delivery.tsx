import type { z } from 'zod'
import type { DeliveryWithPayloadAnswer } from '../../src/webhooks/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi } from '../api.ts'
import { change, Deeds, Read } from '../parts/changes.tsx'
import { Copy } from '../parts/copy.tsx'
import { Facts } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { PlainTable } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { withSpaces } from '../words.ts'
import { StateOfDelivery } from './state-of-delivery.tsx'

type Delivery = z.output<typeof DeliveryWithPayloadAnswer>

/** A delivery with its attempts and what it sends. */
export function DeliveryRecord({ id, query }: RecordProps) {
  const webhook = encodeURIComponent(query.get('webhook') ?? '')
  const path = `/v1/webhooks/${webhook}/deliveries/${encodeURIComponent(id)}`
  const show = (delivery: Delivery) => <Inside delivery={delivery} path={path} />
  return <Read read={() => callApi<Delivery>('GET', path)} of={[path]} show={show} />
}

function Inside({ delivery, path }: { delivery: Delivery; path: string }) {
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
      <Facts
        of={[
          ['About', sale === null ? subject : <a href={linkTo('transactions', { id: sale })}>{subject}</a>],
          ['Event', event],
          ['Id', event_id],
          ['Created', <Moment at={created_at} />],
          ['Next attempt', next_attempt_at === null ? 'None' : <Moment at={next_attempt_at} />],
        ]}
      />
      {attempts.length === 0 ? (
        <p class="quiet">There was no attempt yet.</p>
      ) : (
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
      <section class="section">
        <h3>What is sent</h3>
        <pre class="payload" tabindex={0} role="region" aria-label="What is sent">
          {body}
        </pre>
        <div class="actions">
          <Copy text={body} />
        </div>
      </section>
    </>
  )
}
