import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import type { CHAT_FORMATS } from '../../platform/database/values/message-values.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { newSecret } from '../delivery/secrets.ts'
import { readTarget, refusalOfHost } from '../delivery/target.ts'
import { MESSAGE_KINDS } from './kinds.ts'
import { isMailAvailable } from './mail.ts'
import type { ChangedMessagesAnswer, MessagesAnswer, MessagesBody } from './schemas.ts'
import { newStopToken, sealNameOf, sealOf } from './sealed.ts'
import {
  insertSettings,
  readMessages,
  readPeopleOf,
  type ReadMessages,
  type Recipient,
  type RecipientRow,
  replaceRecipients,
  replaceSettings,
  type SettingsRow,
} from './settings-store.ts'
import { nextMessageAt } from './when.ts'

const HOUR = 8
/** The first message after a time without any tells what was recorded in so many days before. */
const FIRST_DAYS = 7

/** What the account is told each day, who gets it, and what became of the last messages. */
export async function getMessages(context: Context): Promise<Answer<typeof MessagesAnswer>> {
  return present(context, await readMessages(context))
}

/**
 * Changes who gets the daily message, when, and of what. Omitted fields stay. The secret of a new chat is
 * shown once. Two changes at once are both kept.
 */
export async function putMessages(
  context: Context,
  body: MessagesBody,
): Promise<Answer<typeof ChangedMessagesAnswer>> {
  const people = body.recipients === undefined ? null : await allowedRecipients(context, body.recipients)
  const chat = body.chat === undefined || body.chat === null ? null : await newChat(context, body.chat)
  return readAgainOnChange(async () => {
    const read = await readMessages(context)
    const added = await newRecipients(context, read, body.recipients ?? [])
    const settings = settingsAfter(context, read, body, chat)
    const written =
      read.settings === null
        ? insertSettings(context, settings)
        : replaceSettings(context, read.settings, settings)
    const recipients =
      people === null
        ? read.recipients
        : people.map(
            (person) => read.recipients.find(({ person_id }) => person_id === person.person_id) ?? person,
          )
    const answer = present(context, { ...read, settings, recipients })
    await commit(context, {
      changes: [
        ...guarded(context.env.DB, written, 'concurrent_change'),
        ...(body.recipients === undefined ? [] : replaceRecipients(context, body.recipients, added)),
      ],
      audit: {
        action: 'messages.updated',
        resource_id: context.principal.account_id,
        changed: Object.keys(body),
        values: await valuesOf(
          read.settings === null ? null : audited(read.settings, read.recipients),
          audited(settings, recipients),
        ),
      },
      answer: { ...answer, chat_secret: null },
    })
    return { ...answer, chat_secret: chat?.secret ?? null }
  })
}

type NewChat = {
  format: (typeof CHAT_FORMATS)[number]
  host: string
  /** Sealed, as is `sealed_secret`. */
  url: string
  sealed_secret: string | null
  secret: string | null
}

/** A chat whose host was checked as that of a webhook is. Throws invalid_request. */
async function newChat(context: Context, given: NonNullable<MessagesBody['chat']>): Promise<NewChat> {
  const { env, principal } = context
  const target = readTarget(env, given.url)
  if (!target.ok) throw fieldError('invalid_request', 'chat.url', target.why)
  const refusal = await refusalOfHost(env, target.url)
  if (refusal !== null) throw fieldError('invalid_request', 'chat.url', refusal)
  const secret = given.format === 'signed' ? newSecret() : null
  return {
    format: given.format,
    host: new URL(target.url).host,
    url: await sealOf(env, principal.account_id, 'chat_url', target.url),
    sealed_secret: secret === null ? null : await sealOf(env, principal.account_id, 'chat_secret', secret),
    secret,
  }
}

/** The people with these ids, each of whom is one of the account. Throws invalid_request. */
async function allowedRecipients(context: Context, ids: readonly string[]): Promise<Recipient[]> {
  if (ids.length === 0) return []
  if (!isMailAvailable(context.env))
    throw fieldError('invalid_request', 'recipients', 'the operator of the service has not set up mail')
  const people = await readPeopleOf(context, ids)
  return ids.map((id, index) => {
    const person = people.find(({ person_id }) => person_id === id)
    if (person === undefined)
      throw fieldError('invalid_request', `recipients[${index}]`, 'is not a person of this account')
    return person
  })
}

/** Who was stopped stays so while its id stays in the list. */
async function newRecipients(
  { env, principal, now }: Context,
  { recipients }: ReadMessages,
  ids: readonly string[],
): Promise<RecipientRow[]> {
  const added = ids.filter((id) => !recipients.some(({ person_id }) => person_id === id))
  return Promise.all(
    added.map(async (person_id) => {
      const { token, hash } = await newStopToken()
      return {
        account_id: principal.account_id,
        person_id,
        stop_hash: hash,
        stop_token: await sealOf(env, principal.account_id, sealNameOf(person_id), token),
        stopped_at: null,
        created_at: now.toISOString(),
      }
    }),
  )
}

/** The settings after a change of the account. They are due at the next hour if somebody gets messages. */
function settingsAfter(
  { principal, now }: Context,
  { settings, time_zone, recipients }: ReadMessages,
  body: MessagesBody,
  chat: NewChat | null,
): SettingsRow {
  const before = settings ?? firstSettings(principal.account_id, now)
  const hour = body.hour ?? before.hour
  const kept = body.chat === undefined ? before : NO_CHAT
  const chosen =
    chat === null
      ? { chat_format: kept.chat_format, chat_host: kept.chat_host }
      : { chat_format: chat.format, chat_host: chat.host }
  const receives = chosen.chat_format !== null || (body.recipients ?? recipients).length > 0
  const next = receives ? nextMessageAt(time_zone, hour, now, before.last_day).toISOString() : null
  const begun = new Date(now.getTime() - FIRST_DAYS * DAY_MS).toISOString()
  return {
    ...before,
    hour,
    kinds_off: JSON.stringify(offAfter(JSON.parse(before.kinds_off), body.kinds ?? {})),
    ...chosen,
    chat_url: chat === null ? kept.chat_url : chat.url,
    chat_secret: chat === null ? kept.chat_secret : chat.sealed_secret,
    next_at: next,
    read_until: before.next_at === null && before.read_until < begun ? begun : before.read_until,
    updated_at: settings === null ? now.toISOString() : changedAt(now, settings.updated_at),
  }
}

const NO_CHAT = { chat_format: null, chat_host: null, chat_url: null, chat_secret: null }

function firstSettings(account_id: string, now: Date): SettingsRow {
  return {
    account_id,
    hour: HOUR,
    kinds_off: '[]',
    ...NO_CHAT,
    next_at: null,
    leased_until: null,
    read_until: '',
    last_day: null,
    test_day: null,
    tests: 0,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
}

function offAfter(before: readonly string[], wanted: NonNullable<MessagesBody['kinds']>): string[] {
  return MESSAGE_KINDS.filter((kind) => !(wanted[kind] ?? !before.includes(kind)))
}

/** The log of changes has neither the address of a chat nor e-mails. */
function audited({ hour, kinds_off, chat_format, chat_host }: SettingsRow, recipients: readonly Recipient[]) {
  const ids = recipients.map(({ person_id }) => person_id)
  return { hour, kinds_off, chat_format, chat_host, recipients: ids.toSorted().join(' ') }
}

function present(
  { env }: Context,
  { settings, time_zone, recipients, last }: ReadMessages,
): Answer<typeof MessagesAnswer> {
  const off = new Set<string>(settings === null ? [] : JSON.parse(settings.kinds_off))
  const on = (kind: (typeof MESSAGE_KINDS)[number]) => !off.has(kind)
  return {
    hour: settings?.hour ?? HOUR,
    time_zone,
    kinds: {
      return_overdue: on('return_overdue'),
      return_due: on('return_due'),
      threshold_exceeded: on('threshold_exceeded'),
      threshold_approaching: on('threshold_approaching'),
      webhook_disabled: on('webhook_disabled'),
      shop_failed: on('shop_failed'),
      certificate_ending: on('certificate_ending'),
      rate_changed: on('rate_changed'),
    },
    mail_available: isMailAvailable(env),
    recipients: recipients.map(({ person_id, email, name, stopped_at }) => ({
      person_id,
      email,
      name,
      stopped_at,
    })),
    chat: chatOf(settings),
    next_at: settings?.next_at ?? null,
    last: last.map(({ person_id, ...message }) => ({ ...message, person_id: person_id || null })),
  }
}

function chatOf(settings: SettingsRow | null) {
  if (settings === null || settings.chat_format === null || settings.chat_host === null) return null
  return { format: settings.chat_format, host: settings.chat_host }
}
