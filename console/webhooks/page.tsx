import type { Delivery, WebhookAnswer, WebhookTestAnswer } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { type PageQuery, read } from '../api.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Read } from '../parts/load.tsx'
import { Badge, type Empty, Facts, Folded, Moment } from '../parts/parts.tsx'
import { PagedTable } from '../parts/table.tsx'
import { counted, sentence, withSpaces } from '../words.ts'
import { ALL_EVENTS, ChangeWebhook, Recover, RotateSecret, sendMissed, sentNow } from './forms.tsx'
import { linkToWebhook, StateOfDelivery, STATES } from './webhook.tsx'

const FAILURES_MAX = 5
/** Somewhat less than the 30 days in which events are kept. */
const RECOVERED_MS = 29 * 86_400_000
const STATUSES = [null, 'succeeded', 'pending', 'failed', 'expired']

type WebhookState = Pick<WebhookAnswer, 'status' | 'consecutive_failures'>

/** A webhook that fails is not active, although the service still tries. */
export function stateOf({ status, consecutive_failures }: WebhookState): string {
  return status === 'active' && consecutive_failures > 0 ? 'failing' : status
}

/** The page of a webhook: its state, its settings, and its deliveries, filtered by `status`. */
export function WebhookPage({ id, status }: { id: string; status: string | null }) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  return (
    <div class="stack">
      <a class="back always" href="#/webhooks">
        All webhooks
      </a>
      <Read
        read={() => read('/v1/webhooks/{id}', { id })}
        of={[path]}
        show={(webhook) => (
          <>
            <Head key={webhook.updated_at} webhook={webhook} path={path} />
            <h2>Deliveries, the newest first</h2>
            <nav class="choices" aria-label="Deliveries by status">
              {STATUSES.map((each) => (
                <a
                  href={linkToWebhook(id, { status: each })}
                  aria-current={each === status ? 'true' : undefined}
                >
                  {each === null ? 'All' : sentence(STATES[each] ?? each)}
                </a>
              ))}
            </nav>
            <Deliveries webhook={webhook} status={status} />
          </>
        )}
      />
    </div>
  )
}

const CHANGE = 'Change address, events and description'

function Head({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const { url, status, consecutive_failures, description, events } = webhook
  return (
    <section class="card stack" aria-labelledby="webhook">
      <h2 id="webhook" class="long">
        {url} <Badge word={stateOf(webhook)} />
      </h2>
      {description !== null && <p>{description}</p>}
      {status !== 'active' && (
        <p class="failure">
          {consecutive_failures >= FAILURES_MAX
            ? `It was disabled after ${counted(consecutive_failures, 'failure')} in a row. Fix the ` +
              'receiver, then enable it to send the events of the last three days.'
            : 'It is disabled and gets no events. When it is enabled, the events of the last three days ' +
              'are sent.'}
        </p>
      )}
      <Facts
        of={[
          ['Events', events.map((type) => (type === '*' ? ALL_EVENTS : type)).join(', ')],
          ['Failures in a row', `${consecutive_failures} of ${FAILURES_MAX}`],
          ['Last success', <Moment at={webhook.last_succeeded_at} />],
          ['Last failure', <Moment at={webhook.last_failed_at} />],
        ]}
      />
      {may('webhooks:write') && <DeedsOf webhook={webhook} path={path} />}
    </section>
  )
}

/** What can be done with a webhook. */
function DeedsOf({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const text = `${webhook.url} gets no more events. Its deliveries are deleted, too.`
  const ask = { title: 'Delete this webhook?', text, yes: 'Delete' }
  const remove = () => change('DELETE', path, { ask, told: 'The webhook is deleted', leave: '#/webhooks' })
  const other = webhook.status === 'active' ? 'disabled' : 'active'
  const turn = () =>
    change('PUT', path, { body: { status: other }, told: `The webhook is ${other}`, starts: true })
  const sendAll = (key: string) => sendMissed(path, new Date(Date.now() - RECOVERED_MS), key)
  return (
    <>
      <Deeds
        of={[
          { name: 'Send a test event', act: () => sendTest(path) },
          stateOf(webhook) === 'failing' && { name: 'Send all now', act: sendAll },
          { name: other === 'active' ? 'Enable' : 'Disable', act: turn },
        ]}
      />
      <Folded title={CHANGE} make={() => <ChangeWebhook webhook={webhook} path={path} />} />
      <Folded title="Rotate the signing secret" make={() => <RotateSecret webhook={webhook} path={path} />} />
      <Folded title="Send missed events again" make={() => <Recover webhook={webhook} path={path} />} />
      <Deeds of={[{ name: 'Delete the webhook…', act: remove, kind: 'dangerous' }]} />
    </>
  )
}

function sendTest(path: string) {
  const told = ({ success, response_status, error, duration_ms, sent_now }: WebhookTestAnswer) => {
    const arrived = success ? 'It arrived' : 'It did not arrive'
    const waited = sent_now === 0 ? '' : `. ${sentNow(sent_now)}`
    const answer = response_status ?? withSpaces(error ?? 'no answer')
    return `${arrived}: ${answer} after ${duration_ms} ms${waited}`
  }
  return change('POST', `${path}/test`, { body: {}, told, starts: true })
}

type DeliveriesProps = { webhook: WebhookAnswer; status: string | null }

function Deliveries({ webhook, status }: DeliveriesProps) {
  const { id } = webhook
  const readPage = async (page: PageQuery) => {
    const answer = await read('/v1/webhooks/{id}/deliveries', { id, ...page, status })
    return { rows: answer.deliveries, total: null, next_cursor: answer.next_cursor }
  }
  return (
    <PagedTable
      caption="Deliveries, the newest first"
      of={`${id} ${status}`}
      href={(delivery) => linkToWebhook(id, { delivery: delivery.id, status })}
      empty={emptyOf(webhook, status)}
      columns={[
        { head: 'Event', keep: true, cell: ({ event }) => event },
        { head: 'About', cell: ({ subject }) => subject },
        { head: 'Status', phone: 'figure', cell: ({ status: state }) => <StateOfDelivery status={state} /> },
        { head: 'Created', keep: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: 'Attempts', cell: attemptWords },
        {
          head: 'Next attempt',
          keep: true,
          cell: (each) => <NextAttempt at={each.next_attempt_at} {...webhook} />,
        },
      ]}
      read={readPage}
    />
  )
}

function emptyOf({ status: state }: WebhookAnswer, status: string | null): Empty {
  if (status !== null)
    return { title: 'No deliveries with this status', text: 'Choose All to see the others.' }
  const text =
    state === 'active'
      ? 'An event that this webhook subscribes to appears here within minutes.'
      : 'The webhook is disabled. Enable it, and its events appear here within minutes.'
  return { title: 'No deliveries', text }
}

/** A webhook that is disabled, or pauses after a failure, does not keep to the planned time. */
export function NextAttempt({ at, status }: { at: string | null; status: WebhookAnswer['status'] }) {
  if (at === null) return <>–</>
  if (status !== 'active') return <>When it is enabled</>
  return Date.parse(at) < Date.now() ? <>With the next try</> : <Moment at={at} />
}

function attemptWords({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'No attempt yet'
  const answer = last.response_status ?? withSpaces(last.error ?? 'no answer')
  return `${counted(attempts.length, 'attempt')}, the last: ${answer} in ${last.duration_ms} ms`
}
