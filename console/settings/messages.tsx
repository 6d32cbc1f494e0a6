import { useState } from 'hono/jsx/dom'
import type {
  ChangedMessagesAnswer,
  LastMessage,
  MessagesAnswer,
  TestMessagesAnswer,
} from '../../client/src/schema.ts'
import { keysOf } from '../../src/platform/kit/keys-of.ts'
import { may } from '../account.ts'
import { callApi, read } from '../api.ts'
import { formatDay } from '../format.ts'
import { change, Deeds, toast } from '../parts/changes.tsx'
import { Check, Form, Group, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { SecretOnce, Section } from '../parts/parts.tsx'
import { sentence } from '../words.ts'

const PATH = '/v1/account/messages'
const KEEP = 'keep'

type Person = { id: string; name: string; email: string }
type Read = [MessagesAnswer, readonly Person[]]

/** Who gets the daily message, when and of what, and what became of the last ones. */
export function MessagesCard() {
  const loading = useLoading(readCard)
  const show = ([messages, people]: Read) => <Messages {...messages} people={people} again={loading.again} />
  return (
    <Section title="Daily message" card>
      <Loaded of={loading} lines={6} show={show} />
    </Section>
  )
}

/** The people are read where some of them can be chosen. */
async function readCard(): Promise<Read> {
  const messages = await read(PATH)
  if (!messages.mail_available || !may('people:read')) return [messages, []]
  const query = { limit: '100' }
  const { people } = await callApi<{ people: readonly Person[] }>('GET', '/v1/people', { query })
  return [messages, people]
}

const KINDS = {
  return_overdue: 'Overdue returns',
  return_due: 'Returns that are due soon',
  threshold_exceeded: 'Thresholds that were passed',
  threshold_approaching: 'Thresholds that are near',
  webhook_disabled: 'Webhooks that stopped',
  shop_failed: 'Orders of shops that are missing',
  certificate_ending: 'Certificates that end',
  rate_changed: 'Changed rates where you sell',
} as const satisfies Readonly<Record<keyof MessagesAnswer['kinds'], string>>
const KIND_IDS = keysOf(KINDS)

const HOURS = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`]),
)

type Card = MessagesAnswer & { people: readonly Person[]; again: () => Promise<void> }

function Messages({ again, ...messages }: Card) {
  const [secret, setSecret] = useState<string | null>(null)
  const done = () => {
    setSecret(null)
    void again()
  }
  if (secret !== null)
    return <SecretOnce name="The secret of the chat" secret={secret} advice={SIGNED} done={done} />
  const send = async (typed: Typed) => {
    const body = bodyOf(typed, messages)
    const changed = await change<ChangedMessagesAnswer>('PUT', PATH, { body, told: 'The message is changed' })
    if (changed?.chat_secret) setSecret(changed.chat_secret)
    else await again()
  }
  const { last, next_at, hour, kinds, chat, recipients } = messages
  const shown = JSON.stringify([hour, kinds, chat, recipients])
  return (
    <>
      <p class="quiet">
        {next_at === null
          ? 'Nobody gets it yet. Name people or a chat.'
          : 'One message a day, if there is something to tell. It has nothing of your buyers.'}
      </p>
      {may('registrations:write') && <Chosen key={shown} {...messages} send={send} />}
      {next_at !== null && may('registrations:write') && (
        <Deeds of={[{ name: 'Send a test', act: sendTest }]} />
      )}
      {last.length > 0 && (
        <ul class="usage" aria-label="The last messages">
          {last.slice(0, 5).map((each) => (
            <li>
              <span>{`${formatDay(each.day)}, ${each.channel}`}</span>
              <span class="quiet">{stateOf(each)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const SIGNED = 'Your program verifies the messages with it, as those of a webhook.'

function Chosen(
  props: MessagesAnswer & { people: readonly Person[]; send: (typed: Typed) => Promise<void> },
) {
  const { hour, time_zone, kinds, chat, recipients, people, mail_available, send } = props
  const formats = {
    ...(chat !== null && { [KEEP]: `${sentence(chat.format)}, at ${chat.host}` }),
    '': 'None',
    slack: 'Slack',
    signed: 'A program of yours, signed',
  }
  return (
    <Form name="Save changes" send={send} waits fieldOf={(path) => path.split('.').at(-1) ?? null}>
      <div class="fields">
        <Select label="Hour" name="hour" choices={HOURS} chosen={String(hour)}>
          {`In ${time_zone}`}
        </Select>
        <Select label="Chat" name="format" choices={formats} chosen={chat === null ? '' : KEEP} />
        <Input label="Address of a new chat" name="url" type="url" maxlength={2048}>
          It is a secret, and is not shown again
        </Input>
      </div>
      {mail_available && people.length > 0 && (
        <Group legend="By mail" name="recipients">
          {people.map(({ id, name, email }) => {
            const recipient = recipients.find(({ person_id }) => person_id === id)
            return (
              <Check name="recipients" value={id} checked={recipient !== undefined}>
                {recipient?.stopped_at ? `${name}, ${email}: has stopped the messages` : `${name}, ${email}`}
              </Check>
            )
          })}
        </Group>
      )}
      <Group legend="What it tells" name="kinds">
        {KIND_IDS.map((kind) => (
          <Check name="kinds" value={kind} checked={kinds[kind]}>
            {KINDS[kind]}
          </Check>
        ))}
      </Group>
    </Form>
  )
}

function bodyOf(typed: Typed, { mail_available, people }: MessagesAnswer & { people: readonly Person[] }) {
  const on = typed.all('kinds')
  const format = typed.text('format')
  return {
    hour: Number(typed.text('hour')),
    kinds: Object.fromEntries(KIND_IDS.map((kind) => [kind, on.includes(kind)])),
    ...(mail_available && people.length > 0 && { recipients: typed.all('recipients') }),
    ...(format !== KEEP && { chat: format === '' ? null : { format, url: typed.text('url') } }),
  }
}

async function sendTest() {
  const tested = await change<TestMessagesAnswer>('POST', `${PATH}/test`, {})
  const failed = tested?.results.find(({ sent }) => !sent)
  toast(failed === undefined ? 'The test was sent' : `The test failed: ${failed.error ?? failed.channel}`)
}

function stateOf({ state, error }: LastMessage): string {
  return error === null || state === 'sent' ? sentence(state) : `${sentence(state)}: ${error}`
}
