import { at } from '../../engine/ground/invariant.ts'
import type { Context } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type {
  message_recipients,
  message_settings,
  messages,
} from '../../platform/database/tables/messages.ts'

export type SettingsRow = typeof message_settings.$inferSelect
export type RecipientRow = typeof message_recipients.$inferSelect

/** A recipient with the e-mail of the person. */
export type Recipient = Pick<RecipientRow, 'person_id' | 'stopped_at'> & { email: string; name: string }

type LastRow = Pick<
  typeof messages.$inferSelect,
  'id' | 'day' | 'channel' | 'person_id' | 'state' | 'attempts' | 'error' | 'updated_at'
>

const LAST_MAX = 20

/** The settings of an account, its time zone, its recipients, and its last messages. */
export type ReadMessages = {
  settings: SettingsRow | null
  time_zone: string
  recipients: Recipient[]
  last: LastRow[]
}

/** What an account chose, with the recipients who are still its people, and its last messages. */
export async function readMessages({ env, principal }: Context): Promise<ReadMessages> {
  const { account_id } = principal
  const [settings, zone, recipients, last] = await env.DB.batch([
    env.DB.prepare('SELECT * FROM message_settings WHERE account_id = ?').bind(account_id),
    env.DB.prepare('SELECT time_zone FROM accounts WHERE id = ?').bind(account_id),
    env.DB.prepare(
      `SELECT person_id, stopped_at, email, people.name AS name
       FROM message_recipients JOIN people ON people.id = person_id AND people.account_id = ?1
       WHERE message_recipients.account_id = ?1 AND removed_at IS NULL ORDER BY person_id`,
    ).bind(account_id),
    env.DB.prepare(
      `SELECT id, day, channel, person_id, state, attempts, error, updated_at FROM messages
       WHERE account_id = ? ORDER BY day DESC, id DESC LIMIT ${LAST_MAX}`,
    ).bind(account_id),
  ])
  return {
    settings: rowsOf<SettingsRow>(settings)[0] ?? null,
    time_zone: rowsOf<{ time_zone: string }>(zone)[0]?.time_zone ?? 'UTC',
    recipients: rowsOf<Recipient>(recipients),
    last: rowsOf<LastRow>(last),
  }
}

/** Those of these ids that are people of the account, as recipients that were not asked yet. */
export async function readPeopleOf(
  { env, principal }: Context,
  ids: readonly string[],
): Promise<Recipient[]> {
  const { results } = await env.DB.prepare(
    `SELECT id AS person_id, NULL AS stopped_at, email, name FROM people
     WHERE account_id = ? AND removed_at IS NULL AND id IN (SELECT value FROM json_each(?))`,
  )
    .bind(principal.account_id, JSON.stringify(ids))
    .all<Recipient>()
  return results
}

/** Adds the settings of an account, unless it has some: then no row changes. */
export function insertSettings({ env }: Context, row: SettingsRow): D1PreparedStatement {
  return at(insertRows(env.DB, 'message_settings', [row], 'OR IGNORE'), 0)
}

/**
 * Replaces what the caller chooses, unless it was changed since it was read: then no row changes. A message
 * that is being made is made again.
 */
export function replaceSettings(
  { env }: Context,
  before: SettingsRow,
  row: SettingsRow,
): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE message_settings SET hour = ?3, kinds_off = ?4, chat_format = ?5, chat_host = ?6, chat_url = ?7,
       chat_secret = ?8, next_at = ?9, read_until = max(read_until, ?10), leased_until = NULL,
       updated_at = ?11
     WHERE account_id = ?1 AND updated_at = ?2`,
  ).bind(
    row.account_id,
    before.updated_at,
    row.hour,
    row.kinds_off,
    row.chat_format,
    row.chat_host,
    row.chat_url,
    row.chat_secret,
    row.next_at,
    row.read_until,
    row.updated_at,
  )
}

/** The statements that leave only these recipients of an account, and add the new ones. */
export function replaceRecipients(
  { env, principal }: Context,
  ids: readonly string[],
  added: readonly RecipientRow[],
): D1PreparedStatement[] {
  return [
    env.DB.prepare(
      `DELETE FROM message_recipients
       WHERE account_id = ? AND person_id NOT IN (SELECT value FROM json_each(?))`,
    ).bind(principal.account_id, JSON.stringify(ids)),
    ...insertRows(env.DB, 'message_recipients', added, 'OR IGNORE'),
  ]
}

/** Counts a test of today, if there were fewer than so many: else no row changes. */
export function countTest({ env, principal }: Context, day: string, most: number): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE message_settings SET tests = iif(test_day IS ?2, tests + 1, 1), test_day = ?2
     WHERE account_id = ?1 AND (test_day IS NOT ?2 OR tests < ?3)`,
  ).bind(principal.account_id, day, most)
}

type StopLink = { account_id: string; person_id: string; name: string; stopped_at: string | null }

/** The account and the person of a link to stop; null: there is no such link. */
export async function readStopLink(control: ControlDb, stop_hash: string): Promise<StopLink | null> {
  return control
    .prepare(
      `SELECT account_id, person_id, coalesce(seller_name, accounts.name) AS name, stopped_at
       FROM message_recipients JOIN accounts ON accounts.id = account_id WHERE stop_hash = ?`,
    )
    .bind(stop_hash)
    .first<StopLink>()
}

/** Whether the person of an audit entry has not stopped before the change. */
export const GOES_ON = `EXISTS (SELECT 1 FROM message_recipients asked
  WHERE asked.account_id = entry.account_id AND asked.person_id = entry.resource_id
    AND asked.stopped_at IS NULL)`

/** Stops the messages to a person, and those that wait. */
export function stopMessages(
  control: ControlDb,
  { account_id, person_id }: StopLink,
  stop_hash: string,
  at: string,
): D1PreparedStatement[] {
  return [
    control
      .prepare(
        `UPDATE message_recipients SET stopped_at = coalesce(stopped_at, ?3)
         WHERE account_id = ?1 AND stop_hash = ?2`,
      )
      .bind(account_id, stop_hash, at),
    control
      .prepare(
        `UPDATE messages SET state = 'stopped', leased_until = NULL, updated_at = ?3
         WHERE account_id = ?1 AND person_id = ?2 AND channel = 'mail' AND state = 'pending'`,
      )
      .bind(account_id, person_id, at),
  ]
}

type TestedSettings = Pick<SettingsRow, 'chat_format' | 'chat_url' | 'chat_secret'> & { name: string }
type Tested = { person_id: string; email: string; stop_token: string }

/** Whom a test reaches: the chat, and the people who have not stopped. Its secrets are sealed. */
export async function readTested({
  env,
  principal,
}: Context): Promise<{ settings: TestedSettings | null; recipients: Tested[] }> {
  const [settings, recipients] = await env.DB.batch([
    env.DB.prepare(
      `SELECT coalesce(seller_name, name) AS name, chat_format, chat_url, chat_secret
       FROM message_settings JOIN accounts ON accounts.id = account_id WHERE account_id = ?`,
    ).bind(principal.account_id),
    env.DB.prepare(
      `SELECT person_id, email, stop_token FROM message_recipients
       JOIN people ON people.id = person_id AND people.account_id = ?1
       WHERE message_recipients.account_id = ?1 AND stopped_at IS NULL AND removed_at IS NULL
       ORDER BY person_id`,
    ).bind(principal.account_id),
  ])
  return { settings: rowsOf<TestedSettings>(settings)[0] ?? null, recipients: rowsOf<Tested>(recipients) }
}
