import type { z } from 'zod'
import type { DeliveriesAnswer, WebhookTestAnswer } from '../../src/webhooks/schemas.ts'
import { callApi } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { confirmed } from '../parts/dialog.tsx'
import { Folded } from '../parts/folded.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts } from '../parts/parts.tsx'
import { PagedTable, type PageOfRows, recordsChanged, useChanges } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { Button, useWork } from '../parts/work.tsx'
import { counted, sentence, withSpaces } from '../words.ts'
import { ChangeWebhook, Recover, RotateSecret, sendMissed, sentNow, type Webhook } from './forms.tsx'
import { STATES, StateOfDelivery } from './state-of-delivery.tsx'
import { linkToWebhook } from './webhook-address.ts'

type ListedDelivery = z.output<typeof DeliveriesAnswer>['deliveries'][number]

const FAILURES_MAX = 5
/** Somewhat less than the 30 days in which events are kept. */
const RECOVERED_MS = 29 * 86_400_000
const STATUSES = [null, 'succeeded', 'pending', 'failed', 'expired']

/** A webhook that fails is not active, although the service still tries. */
export function stateOf({
  status,
  consecutive_failures,
}: Pick<Webhook, 'status' | 'consecutive_failures'>): string {
  return status === 'active' && consecutive_failures > 0 ? 'failing' : status
}

/** The page of a webhook: its state, its settings, and its deliveries, filtered by `status`. */
export function WebhookPage({ id, status }: { id: string; status: string | null }) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const loading = useLoading(() => callApi<Webhook>('GET', path), [path])
  useChanges(() => void loading.again())
  return (
    <div class="stack">
      <a class="back always" href="#/webhooks">
        All webhooks
      </a>
      <Loaded
        of={loading}
        show={(webhook) => <Head key={webhook.updated_at} webhook={webhook} path={path} />}
      />
      <h2>Deliveries, the newest first</h2>
      <nav class="choices" aria-label="Deliveries by status">
        {STATUSES.map((each) => (
          <a href={linkToWebhook(id, { status: each })} aria-current={each === status ? 'true' : undefined}>
            {each === null ? 'All' : sentence(STATES[each] ?? each)}
          </a>
        ))}
      </nav>
      <Deliveries path={path} id={id} status={status} />
    </div>
  )
}

function Head({ webhook, path }: { webhook: Webhook; path: string }) {
  const { url, status, consecutive_failures, description, events } = webhook
  const work = useWork()
  const other = status === 'active' ? 'disabled' : 'active'
  const turn = async () => {
    await callApi('PUT', path, { body: { status: other } })
    toast(`The webhook is ${other}`)
    recordsChanged()
  }
  return (
    <section class="card stack" aria-labelledby="webhook">
      <h2 id="webhook" class="long">
        {url} <Badge word={stateOf(webhook)} />
      </h2>
      {description !== null && <p>{description}</p>}
      {status !== 'active' && (
        <p class="failure">
          {consecutive_failures >= FAILURES_MAX
            ? `It was disabled after ${counted(consecutive_failures, 'failure')} in a row. Mend the ` +
              'receiver, then enable it: the events of the last three days are sent.'
            : 'It is disabled and gets no events. When it is enabled, the events of the last three days ' +
              'are sent.'}
        </p>
      )}
      <Facts
        of={[
          ['Events', events.map((type) => (type === '*' ? 'All events' : type)).join(', ')],
          ['Failures in a row', `${consecutive_failures} of ${FAILURES_MAX}`],
          ['Last success', <Moment at={webhook.last_succeeded_at} />],
          ['Last failure', <Moment at={webhook.last_failed_at} />],
        ]}
      />
      <div class="actions">
        <Button of={work} act={() => sendTest(path)}>
          Send a test event
        </Button>
        {stateOf(webhook) === 'failing' && (
          <Button of={work} act={() => sendMissed(path, new Date(Date.now() - RECOVERED_MS))}>
            Send all now
          </Button>
        )}
        <Button of={work} act={turn}>
          {other === 'active' ? 'Enable' : 'Disable'}
        </Button>
      </div>
      {work.notice}
      <Folded
        title="Change address, events and description"
        make={() => <ChangeWebhook webhook={webhook} path={path} />}
      />
      <Folded title="Rotate the signing secret" make={() => <RotateSecret webhook={webhook} path={path} />} />
      <Folded title="Send missed events again" make={() => <Recover webhook={webhook} path={path} />} />
      <Delete url={url} path={path} />
    </section>
  )
}

async function sendTest(path: string): Promise<void> {
  const answer = await callApi<z.output<typeof WebhookTestAnswer>>('POST', `${path}/test`, { body: {} })
  const { success, response_status, error, duration_ms, sent_now } = answer
  const arrived = success ? 'It arrived' : 'It did not arrive'
  const waited = sent_now === 0 ? '' : `. ${sentNow(sent_now)}`
  toast(`${arrived}: ${response_status ?? withSpaces(error ?? 'no answer')} after ${duration_ms} ms${waited}`)
  recordsChanged()
}

function Delete({ url, path }: { url: string; path: string }) {
  const work = useWork()
  const remove = async () => {
    const text = `${url} gets no more events. Its deliveries are deleted, too.`
    if (!(await confirmed({ title: 'Delete this webhook?', text, yes: 'Delete' }))) return
    await callApi('DELETE', path)
    toast('The webhook is deleted')
    location.hash = '#/webhooks'
  }
  return (
    <div>
      <Button of={work} act={remove} kind="dangerous">
        Delete the webhook…
      </Button>
      {work.notice}
    </div>
  )
}

function Deliveries({ path, id, status }: { path: string; id: string; status: string | null }) {
  const read = async (cursor: string | null, limit: number): Promise<PageOfRows<ListedDelivery>> => {
    const query = { limit: String(limit), cursor, status }
    const page = await callApi<z.output<typeof DeliveriesAnswer>>('GET', `${path}/deliveries`, { query })
    return { rows: page.deliveries, total: null, next_cursor: page.next_cursor }
  }
  return (
    <PagedTable
      caption="Deliveries, the newest first"
      of={`${id} ${status}`}
      href={(delivery) => linkToWebhook(id, { delivery: delivery.id, status })}
      empty={{
        title: status === null ? 'No deliveries' : 'No deliveries with this status',
        text: 'An event that this webhook subscribes to appears here within minutes.',
      }}
      columns={[
        { head: 'Event', keep: true, cell: ({ event }) => event },
        { head: 'About', cell: ({ subject }) => subject },
        { head: 'Status', phone: 'figure', cell: ({ status: state }) => <StateOfDelivery status={state} /> },
        { head: 'Created', keep: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: 'Attempts', cell: attemptWords },
        {
          head: 'Next attempt',
          keep: true,
          cell: ({ next_attempt_at }) => next_attempt_at && <Moment at={next_attempt_at} />,
        },
      ]}
      read={read}
    />
  )
}

function attemptWords({ attempts }: ListedDelivery): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'No attempt yet'
  const answer = last.response_status ?? withSpaces(last.error ?? 'no answer')
  return `${counted(attempts.length, 'attempt')}, the last: ${answer} in ${last.duration_ms} ms`
}
