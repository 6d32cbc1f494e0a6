import { useState } from 'hono/jsx/dom'
import type {
  EventTypesAnswer,
  NewWebhookAnswer,
  RecoverAnswer,
  RotatedSecretAnswer,
  WebhookAnswer,
} from '../../client/src/schema.ts'
import { callApi, read } from '../api.ts'
import { change } from '../parts/changes.tsx'
import { Check, Form, Group, Input, type Typed } from '../parts/form.tsx'
import { Loaded, recordsChanged, useLoading } from '../parts/load.tsx'
import { Moment, SecretOnce, useTitle } from '../parts/parts.tsx'
import { counted } from '../words.ts'
import { linkToWebhook } from './webhook.tsx'

/** What `*` is. */
export const ALL_EVENTS = 'All events, but not those of each sale and refund'

/** The form of a new webhook. Its secret is shown once, after it is made. */
export function NewWebhook() {
  useTitle('Add a webhook')
  const [made, setMade] = useState<NewWebhookAnswer | null>(null)
  if (made !== null)
    return <Secret secret={made.secret} done={() => (location.hash = linkToWebhook(made.id))} />
  const send = async (typed: Typed, idempotency_key: string) => {
    const request = { body: bodyOf(typed), idempotency_key, told: 'The webhook is added' }
    setMade(await change('POST', '/v1/webhooks', request))
  }
  return <WebhookForm name="Add the webhook" send={send} of={{ events: ['*'], url: '', description: null }} />
}

/** Changes the address, the events and the description. */
export function ChangeWebhook({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const send = (typed: Typed) => change('PUT', path, { body: bodyOf(typed), told: 'The webhook is changed' })
  return <WebhookForm name="Save" send={send} of={webhook} />
}

function bodyOf(typed: Typed) {
  const events = typed.checked('events', 'Events')
  return { url: typed.text('url'), description: typed.optional('description'), events }
}

type WebhookFormProps = Pick<Parameters<typeof Form>[0], 'name' | 'send'> & {
  of: Pick<WebhookAnswer, 'url' | 'description'> & { events: readonly string[] }
}

function WebhookForm({ of, ...form }: WebhookFormProps) {
  const loading = useLoading(() => read('/v1/webhooks/events/list'))
  const show = ({ events }: EventTypesAnswer) => (
    <Form {...form}>
      <WebhookFields types={events} {...of} />
    </Form>
  )
  return <Loaded of={loading} show={show} />
}

/** What follows says that All does not contain the event, as the description of All does. */
function firstSentence(description: string): string {
  return description.split('. ')[0] ?? description
}

type FieldsProps = WebhookFormProps['of'] & { types: EventTypesAnswer['events'] }

function WebhookFields({ types, events: chosen, url, description }: FieldsProps) {
  const all = { type: '*', description: ALL_EVENTS }
  return (
    <>
      <Input label="Address" name="url" type="url" required maxlength={2048} value={url}>
        HTTPS with a public host name, such as https://hooks.example.com/tax
      </Input>
      <Input label="Description" name="description" maxlength={500} value={description ?? ''}>
        For your colleagues
      </Input>
      <Group legend="Events" name="events">
        {[all, ...types].map((each) => (
          <Check name="events" value={each.type} checked={chosen.includes(each.type)}>
            {firstSentence(each.description)}{' '}
            {each.type !== '*' && <code class="quiet small">{each.type}</code>}
          </Check>
        ))}
      </Group>
    </>
  )
}

const GRACE = 'Hours for which the old one also signs'

/** Replaces the signing secret. */
export function RotateSecret({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const [secret, setSecret] = useState<{ shown: string | null } | null>(null)
  const { previous_secret_until } = webhook
  if (secret !== null) return <Secret secret={secret.shown} done={recordsChanged} />
  const send = async (typed: Typed, idempotency_key: string) => {
    const hours = typed.text('grace_hours')
    const options = { body: hours === '' ? {} : { grace_hours: Number(hours) }, idempotency_key }
    const rotated = await callApi<RotatedSecretAnswer>('POST', `${path}/rotate-secret`, options)
    setSecret({ shown: rotated.secret })
  }
  return (
    <>
      {previous_secret_until === null ? (
        <p class="quiet">A new secret replaces the old one.</p>
      ) : (
        <p class="quiet">
          The old secret also signs until <Moment at={previous_secret_until} />.
        </p>
      )}
      <Form name="Rotate" send={send} first={false}>
        <Input label={GRACE} name="grace_hours" type="number" min={1} max={72} value={24}>
          Leave empty to end the old one at once
        </Input>
      </Form>
    </>
  )
}

/** The secret is null if the same request was sent before. */
function Secret({ secret, done }: { secret: string | null; done: () => void }) {
  if (secret === null)
    return (
      <p>
        This webhook already exists, and its secret is shown only once. Rotate the secret to get a new one.
      </p>
    )
  const advice =
    'Your receiver checks the signature of each event with it. Store it where your server reads secrets.'
  return <SecretOnce name="The signing secret" secret={secret} advice={advice} done={done} />
}

/** Sends what did not arrive since a moment, and says how much it is. */
export function sendMissed(path: string, since: Date, idempotency_key: string) {
  return change<RecoverAnswer>('POST', `${path}/recover`, {
    body: { since: since.toISOString() },
    idempotency_key,
    starts: true,
    told: ({ recovered, has_more }) => `${sentNow(recovered)}${has_more ? '. More remain. Send again' : ''}`,
  })
}

export function sentNow(count: number): string {
  return `${counted(count, 'event')} ${count === 1 ? 'is' : 'are'} sent now`
}

/** Sends again what did not arrive since a moment. */
export function Recover({ webhook, path }: { webhook: WebhookAnswer; path: string }) {
  const send = (typed: Typed, key: string) => sendMissed(path, new Date(typed.text('since')), key)
  const last = localTime(webhook.last_succeeded_at)
  const filled = webhook.last_succeeded_at === null ? '' : '. Filled in: the last success'
  return (
    <Form name="Send" send={send} first={false}>
      <Input label="Since" name="since" type="datetime-local" required value={last}>
        {`In your own time zone, at most 30 days ago${filled}`}
      </Input>
    </Form>
  )
}

/** A moment as an input of the browser takes it, in the time zone of the user. */
function localTime(at: string | null): string {
  const moment = at === null ? Date.now() - 86_400_000 : Date.parse(at)
  const offset = new Date(moment).getTimezoneOffset() * 60_000
  return new Date(moment - offset).toISOString().slice(0, 16)
}
