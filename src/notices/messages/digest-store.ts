import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { guardFailure, required } from '../../platform/database/guard.ts'
import { firstIdAt } from '../../platform/database/ids.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { message_settings, messages } from '../../platform/database/tables/messages.ts'
import type { EndingCertificates, FailedShop, ReturnData, ToldEvent } from './lines.ts'

/** One message counts at most so many events, groups of events and places of an account. */
const EVENTS_MAX = 500
const GROUPS_MAX = 100
const PLACES_MAX = 1_000

/** The types of events that are sales, as the index of the others names them. */
const TO_TELL = "type NOT IN ('transaction.created', 'transaction.refunded')" as const

/** The accounts of a shard that have people or a chat, and whose requests are not refused. */
const OF_SHARD =
  'accounts.shard = ?1 AND accounts.suspended_at IS NULL AND accounts.erased_at IS NULL' as const

/** An account whose message is to be made now. */
export type DueDigest = Pick<
  typeof message_settings.$inferSelect,
  | 'account_id'
  | 'hour'
  | 'kinds_off'
  | 'chat_format'
  | 'leased_until'
  | 'read_until'
  | 'last_day'
  | 'updated_at'
>

export type LeasedMessage = Pick<
  typeof messages.$inferSelect,
  'id' | 'account_id' | 'day' | 'channel' | 'person_id' | 'content' | 'attempts' | 'lost' | 'leased_until'
>

/** From the second lease that ended without an outcome on, a message is not sent again. */
export const LOST_MAX = 2

/**
 * Leases what is due in a shard: at most so many accounts whose message is to be made, and so many messages
 * to be sent. Two ticks at once never get the same. A message whose sending was lost twice is given up, since
 * it may have arrived.
 */
export async function leaseDue(
  control: ControlDb,
  shard: number,
  { now, until, most }: { now: string; until: string; most: number },
): Promise<{ digests: DueDigest[]; messages: LeasedMessage[] }> {
  const [digests, , due] = await control.batch([
    control
      .prepare(
        `UPDATE message_settings SET leased_until = ?3 WHERE account_id IN
           (SELECT account_id FROM message_settings INDEXED BY message_settings_due
            JOIN accounts ON accounts.id = account_id
            WHERE next_at <= ?2 AND (leased_until IS NULL OR leased_until <= ?2) AND ${OF_SHARD}
            ORDER BY next_at LIMIT ?4)
         RETURNING account_id, hour, kinds_off, chat_format, leased_until, read_until, last_day, updated_at`,
      )
      .bind(shard, now, until, most),
    control
      .prepare(
        `UPDATE messages SET state = 'unknown', leased_until = NULL, updated_at = ?1
         WHERE state = 'pending' AND next_attempt_at <= ?1 AND leased_until <= ?1
           AND lost >= ${LOST_MAX - 1}`,
      )
      .bind(now),
    control
      .prepare(
        `UPDATE messages SET leased_until = ?3, attempts = attempts + 1,
           lost = lost + (leased_until IS NOT NULL), updated_at = ?2
         WHERE id IN (SELECT messages.id FROM messages INDEXED BY messages_due
            JOIN accounts ON accounts.id = account_id
            WHERE state = 'pending' AND next_attempt_at <= ?2
              AND (leased_until IS NULL OR leased_until <= ?2) AND ${OF_SHARD}
            ORDER BY next_attempt_at LIMIT ?4)
         RETURNING id, account_id, day, channel, person_id, content, attempts, lost, leased_until`,
      )
      .bind(shard, now, until, most),
  ])
  return { digests: rowsOf<DueDigest>(digests), messages: rowsOf<LeasedMessage>(due) }
}

/** Whether a shard has a message to make or to send. */
export async function isAnyDue(control: ControlDb, shard: number, now: string): Promise<boolean> {
  const due = await control
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM message_settings JOIN accounts ON accounts.id = account_id
                      WHERE next_at <= ?2 AND ${OF_SHARD})
           OR EXISTS (SELECT 1 FROM messages JOIN accounts ON accounts.id = account_id
                      WHERE state = 'pending' AND next_attempt_at <= ?2 AND ${OF_SHARD}) AS due`,
    )
    .bind(shard, now)
    .first<number>('due')
  return due === 1
}

/** What decides a message beside the settings. */
export type DigestAccount = {
  time_zone: string
  country: string | null
  uk_stagger: number
  fiscal_year_start: number
}

/** What the control database has for a message. */
export type ControlFacts = {
  account: DigestAccount | null
  person_ids: string[]
  shops: FailedShop[]
  rates: ToldEvent[]
  registered: string[]
}

/** The span of what is told, as moments. */
export type ToldSpan = { since: Date; until: Date }

/** Reads what the control database has for the message of an account. */
export async function readControlFacts(
  control: ControlDb,
  account_id: string,
  { since, until }: ToldSpan,
): Promise<ControlFacts> {
  const [account, people, shops, rates, registered] = await control.batch([
    control
      .prepare('SELECT time_zone, country, uk_stagger, fiscal_year_start FROM accounts WHERE id = ?')
      .bind(account_id),
    control
      .prepare(
        `SELECT person_id FROM message_recipients
         JOIN people ON people.id = person_id AND people.account_id = ?1
         WHERE message_recipients.account_id = ?1 AND stopped_at IS NULL AND removed_at IS NULL
         ORDER BY person_id`,
      )
      .bind(account_id),
    control
      .prepare(
        `SELECT saleor_api_url, count(*) AS orders
         FROM saleor_refused_orders JOIN saleor_installs ON saleor_installs.id = install_id
           AND saleor_installs.account_id = ?1
         WHERE saleor_refused_orders.account_id = ?1 AND dismissed_at IS NULL AND since >= ?2 AND since < ?3
         GROUP BY install_id LIMIT ${GROUPS_MAX}`,
      )
      .bind(account_id, since.toISOString(), until.toISOString()),
    control
      .prepare(
        `SELECT type, data FROM events
         WHERE owner_account_id IS NULL AND id >= ? AND id < ? AND ${TO_TELL}
           AND type IN ('rate.updated', 'local_rates.updated')
         ORDER BY id LIMIT ${EVENTS_MAX}`,
      )
      .bind(firstIdAt('evt', since), firstIdAt('evt', until)),
    control
      .prepare(
        `SELECT DISTINCT jurisdiction_id AS id FROM registrations
         WHERE account_id = ? AND jurisdiction_id IS NOT NULL LIMIT ${PLACES_MAX}`,
      )
      .bind(account_id),
  ])
  return {
    account: rowsOf<DigestAccount>(account)[0] ?? null,
    person_ids: rowsOf<{ person_id: string }>(people).map(({ person_id }) => person_id),
    shops: rowsOf<FailedShop>(shops),
    rates: toldEvents(rates),
    registered: rowsOf<{ id: string }>(registered).map(({ id }) => id),
  }
}

/** What the books have for a message. `near`: returns that were announced and are due on some days. */
type BooksFacts = {
  events: ToldEvent[]
  certificates: EndingCertificates[]
  near: ReturnData[]
  sold_in: string[]
}

/**
 * Reads what the books have for the message of an account. `month` is the first one whose sales count, and
 * `days` those of returns that are due soon.
 */
export async function readBooksFacts(
  books: BooksDb,
  account_id: string,
  { since, until }: ToldSpan,
  { month, days, announced }: { month: string; days: { from: string; to: string }; announced: Date },
): Promise<BooksFacts> {
  const span = [account_id, firstIdAt('evt', since), firstIdAt('evt', until)]
  const [events, certificates, near, sold] = await books.batch([
    books
      .prepare(
        `SELECT type, data FROM events
         WHERE owner_account_id = ? AND id >= ? AND id < ? AND ${TO_TELL}
           AND type IN ('return.due', 'return.overdue', 'threshold.approaching', 'threshold.exceeded',
             'webhook.disabled')
         ORDER BY id LIMIT ${EVENTS_MAX}`,
      )
      .bind(...span),
    books
      .prepare(
        `SELECT data ->> 'jurisdiction_id' AS jurisdiction_id, count(*) AS certificates,
           min(data ->> 'valid_to') AS first
         FROM events
         WHERE owner_account_id = ? AND id >= ? AND id < ? AND ${TO_TELL} AND type = 'exemption.expiring'
         GROUP BY 1 LIMIT ${GROUPS_MAX}`,
      )
      .bind(...span),
    books
      .prepare(
        `SELECT data FROM events
         WHERE owner_account_id = ? AND id >= ? AND id < ? AND ${TO_TELL} AND type = 'return.due'
           AND data ->> 'due_date' BETWEEN ? AND ?
         ORDER BY id LIMIT ${EVENTS_MAX}`,
      )
      .bind(account_id, firstIdAt('evt', announced), span[2], days.from, days.to),
    books
      .prepare(
        `SELECT DISTINCT jurisdiction_id AS id FROM tax_totals
         WHERE account_id = ? AND span = 'month' AND period >= ? AND transactions <> 0 LIMIT ${PLACES_MAX}`,
      )
      .bind(account_id, month),
  ])
  return {
    events: toldEvents(events),
    certificates: rowsOf<EndingCertificates>(certificates),
    near: rowsOf<{ data: string }>(near).map(({ data }): ReturnData => JSON.parse(data)),
    sold_in: rowsOf<{ id: string }>(sold).map(({ id }) => id),
  }
}

function toldEvents(result: D1Result | undefined): ToldEvent[] {
  return rowsOf<{ type: string; data: string }>(result).map(
    ({ type, data }) => ({ type, data: JSON.parse(data) }) as ToldEvent,
  )
}

type NewMessage = typeof messages.$inferInsert

/**
 * Stores the messages of a day, and that what was recorded until a moment is told, in one batch. Fails with
 * concurrent_change if the lease was taken over, or the settings were changed since.
 */
export async function storeDigest(
  control: ControlDb,
  { account_id, leased_until, updated_at }: DueDigest,
  made: readonly NewMessage[],
  { day, read_until, next_at }: { day: string | null; read_until: string; next_at: string },
): Promise<void> {
  const held = [account_id, leased_until, updated_at]
  const statements = [
    required(
      control,
      `EXISTS (SELECT 1 FROM message_settings
               WHERE account_id = ? AND leased_until = ? AND updated_at = ?)`,
      held,
      'concurrent_change',
    ),
    ...insertRows(control, 'messages', made, 'OR IGNORE'),
    control
      .prepare(
        `UPDATE message_settings SET next_at = ?4, read_until = max(read_until, ?5),
           last_day = coalesce(?6, last_day), leased_until = NULL
         WHERE account_id = ?1 AND leased_until = ?2 AND updated_at = ?3`,
      )
      .bind(...held, next_at, read_until, day),
  ]
  try {
    await control.batch(statements)
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

/** What is needed to send a message: null for a recipient who is gone, or has stopped. */
export type Addressee = {
  message_id: string
  name: string
  chat_format: (typeof message_settings.$inferSelect)['chat_format']
  chat_url: string | null
  chat_secret: string | null
  email: string | null
  stop_token: string | null
}

/** Reads to whom messages go now. A person who was removed a moment ago gets none. */
export async function readAddressees(control: ControlDb, ids: readonly string[]): Promise<Addressee[]> {
  const { results } = await control
    .prepare(
      `SELECT messages.id AS message_id, coalesce(seller_name, accounts.name) AS name, chat_format, chat_url,
         chat_secret, email, stop_token
       FROM messages JOIN accounts ON accounts.id = messages.account_id
         JOIN message_settings ON message_settings.account_id = messages.account_id
         LEFT JOIN message_recipients ON message_recipients.account_id = messages.account_id
           AND message_recipients.person_id = messages.person_id AND stopped_at IS NULL
         LEFT JOIN people ON people.id = message_recipients.person_id
           AND people.account_id = messages.account_id AND removed_at IS NULL
       WHERE messages.id IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(ids))
    .all<Addressee>()
  return results
}

/** What becomes of a message after an attempt. */
export type AfterAttempt = {
  state: NewMessage['state']
  attempts: number
  lost: number
  next_attempt_at: string
  error: string | null
}

/** Records an attempt, unless its lease was taken over, or the message was stopped meanwhile. */
export async function recordAttempt(
  control: ControlDb,
  { id, leased_until }: LeasedMessage,
  { state, attempts, lost, next_attempt_at, error }: AfterAttempt,
  now: string,
): Promise<void> {
  await control
    .prepare(
      `UPDATE messages SET state = ?3, attempts = ?4, lost = ?5, next_attempt_at = ?6, error = ?7,
         leased_until = NULL, updated_at = ?8
       WHERE id = ?1 AND leased_until = ?2 AND state = 'pending'`,
    )
    .bind(id, leased_until, state, attempts, lost, next_attempt_at, error, now)
    .run()
}

/** Deletes a slice of the messages from before a moment. Returns whether more may be left. */
export async function pruneSlice(control: ControlDb, before: string, most: number): Promise<boolean> {
  const { meta } = await control
    .prepare(`DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE created_at < ? LIMIT ${most})`)
    .bind(before)
    .run()
  return meta.changes === most
}
