import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { insertPerson } from '../../../src/parties/people/store.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { newId, repeatableId } from '../../../src/platform/database/ids.ts'
import { insertRows } from '../../../src/platform/database/insert-rows.ts'
import { type Shard, shardOf } from '../../../src/platform/database/shards.ts'
import { sendDailyMessages } from '../../../src/notices/messages/daily.ts'
import { readOpenReturns } from '../../../src/returns/due/open-returns.ts'
import type { NewEvent } from '../../../src/notices/events/event-types.ts'
import { eventRow } from '../../../src/notices/events/events.ts'
import { callWith } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { RECEIVER_DOMAIN } from '../../support/receiver-server.ts'
import { behave } from '../subscribing.ts'

type SentMail = {
  to: string
  from: string
  subject: string
  text: string
  headers: Record<string, string>
}

/** The binding for mail: it keeps what it was given. `fails` may throw first. */
export function mailbox(fails: (mail: SentMail) => void = () => undefined) {
  const mails: SentMail[] = []
  const send = async (mail: SentMail) => {
    fails(mail)
    mails.push(mail)
    return { messageId: crypto.randomUUID() }
  }
  return { mails, MAIL: { send } as unknown as SendEmail }
}

/** The hosts of the public and of people, which differ. */
export const ADDRESSES = { PUBLIC_URL: 'https://tax.example.com', CONSOLE_URL: 'https://books.example.com' }

/** The bindings of a service that has set up mail. */
export function withMail(MAIL: SendEmail, more: Partial<Bindings> = {}): Bindings {
  return { ...env, MAIL, MAIL_FROM: 'tax@example.com', ...ADDRESSES, ...more }
}

export type Teller = { key: string; account_id: string; shard: Shard }

export async function newTeller(name?: string): Promise<Teller> {
  const { key, account_id } = await newAccount(name === undefined ? {} : { account: name })
  const shard = await env.DB.prepare('SELECT shard FROM accounts WHERE id = ?')
    .bind(account_id)
    .first<number>('shard')
  return { key, account_id, shard: shardOf(env, shard ?? 0) }
}

export async function addPerson(account_id: string, email: string): Promise<string> {
  const id = newId('person')
  const at = '2026-01-01T00:00:00.000Z'
  const ends = { removed_at: null, erased_at: null, signed_out_at: null }
  const times = { created_at: at, updated_at: at, last_seen_at: null, ...ends }
  await env.DB.batch(
    insertPerson(env.DB, account_id, { id, email, name: 'Ann', role: 'accountant', ...times }),
  )
  return id
}

export async function put(bindings: Bindings, { key }: Teller, body: object) {
  return callWith(bindings, key, { method: 'PUT', path: '/v1/account/messages', body })
}

export async function got(bindings: Bindings, { key }: Teller) {
  return (await callWith(bindings, key, { method: 'GET', path: '/v1/account/messages', body: undefined }))
    .body
}

/** A new receiver of a chat, which answers as told. */
export async function newChat(behaviour: Parameters<typeof behave>[1] = [{}]): Promise<string> {
  const host = `r-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, behaviour)
  return host
}

/** Makes the message due at a moment; what was recorded in the day before it is new. */
export async function dueAt({ account_id }: Teller, at: string, last_day: string | null = null) {
  await env.DB.prepare(
    `UPDATE message_settings SET next_at = ?2, last_day = ?3, leased_until = NULL,
       read_until = strftime('%Y-%m-%dT%H:%M:%fZ', ?2, '-1 day') WHERE account_id = ?1`,
  )
    .bind(account_id, at, last_day)
    .run()
}

let seq = 0

/** Records an event at a moment: of an account in its books, of all in the control database. */
export async function record({ shard }: Teller, event: NewEvent, at: string): Promise<void> {
  seq += 1
  const id = repeatableId('evt', Date.parse(at), seq, crypto.getRandomValues(new Uint8Array(16)))
  const db = 'account_id' in event ? shard.books : env.DB
  await db.batch(insertRows(db, 'events', [{ ...eventRow(event, new Date(at)), id, dedupe: null }]))
}

export async function tick(bindings: Bindings, { shard }: Teller, at: string): Promise<void> {
  const again = { ...shard, books: shardOf(bindings, shard.number).books }
  await sendDailyMessages(bindings, again, new Date(at), readOpenReturns)
}

/** A webhook that was disabled: the shortest matter to tell. */
export function disabled({ account_id }: Teller): NewEvent {
  return {
    type: 'webhook.disabled',
    account_id,
    data: {
      webhook_id: 'wh_1',
      url: 'https://hooks.example.com/secret-path?token=secret-token',
      consecutive_failures: 5,
      last_failed_at: '2026-05-11T00:00:00.000Z',
    },
  }
}

export function onlyOne<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1)
  return list[0] as T
}
