import type { BooksDb, ControlDb } from '../../src/platform/database/databases.ts'
import { HAS_OWN_ID } from '../../src/platform/database/values/audit-ids.ts'
import { required } from '../../src/platform/database/guard.ts'

/** Deliveries that one statement ends. */
const SLICE = 5_000

/** The account of a key; null if there is no such key. */
export async function readOwnerOfKey(control: ControlDb, key_id: string): Promise<string | null> {
  return control
    .prepare('SELECT account_id FROM api_keys WHERE id = ?')
    .bind(key_id)
    .first<string>('account_id')
}

/** The keys of an account that one of these keys made, by the audit events. */
export async function readMadeKeys(
  control: ControlDb,
  account_id: string,
  key_ids: readonly string[],
): Promise<string[]> {
  const { results } = await control
    .prepare(
      `SELECT DISTINCT coalesce(field_values ->> '$.key_id.new', resource_id) AS id FROM audit_events
       WHERE account_id = ?1 AND resource_id IN (SELECT id FROM api_keys WHERE account_id = ?1)
         AND ${HAS_OWN_ID} AND action IN ('api_key.created', 'api_key.rotated')
         AND key_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(account_id, JSON.stringify(key_ids))
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** The keys that these keys of a platform made for the accounts under it, by the audit events of those. */
export async function readKeysUnder(
  control: ControlDb,
  platform_id: string,
  key_ids: readonly string[],
): Promise<string[]> {
  const { results } = await control
    .prepare(
      `SELECT resource_id AS id FROM audit_events
       WHERE account_id IN (SELECT id FROM accounts WHERE platform_id = ?1) AND action = 'api_key.created'
         AND key_id IN (SELECT value FROM json_each(?2))
         AND resource_id IN (SELECT id FROM api_keys) ORDER BY id`,
    )
    .bind(platform_id, JSON.stringify(key_ids))
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** Ends keys of an account now, also those that a rotation left some hours. An earlier end stays. */
export function endKeys(
  control: ControlDb,
  account_id: string,
  key_ids: readonly string[],
  at: string,
): D1PreparedStatement {
  return control
    .prepare(
      `UPDATE api_keys SET revoked_at = min(coalesce(revoked_at, ?1), ?1)
       WHERE account_id = ?2 AND id IN (SELECT value FROM json_each(?3))`,
    )
    .bind(at, account_id, JSON.stringify(key_ids))
}

/** Whether the key of an audit entry is valid before the change, at the moment of its one value. */
export const KEY_IS_VALID = `EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = entry.resource_id
  AND (revoked_at IS NULL OR revoked_at > ?))`

/** The webhooks that one of these keys made, or whose address, events or secret it changed. */
export async function readMadeWebhooks(
  books: BooksDb,
  account_id: string,
  key_ids: readonly string[],
): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT id FROM webhooks WHERE account_id = ?1 AND EXISTS (
         SELECT 1 FROM audit_events WHERE audit_events.account_id = ?1 AND resource_id = webhooks.id
           AND ${HAS_OWN_ID} AND action IN ('webhook.created', 'webhook.updated', 'webhook.secret_rotated')
           AND key_id IN (SELECT value FROM json_each(?2)))
       ORDER BY id`,
    )
    .bind(account_id, JSON.stringify(key_ids))
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** The statements that disable webhooks, if the account's books are in this database. */
export function disableWebhooks(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  at: string,
): D1PreparedStatement[] {
  const here: string = "(SELECT home FROM accounts WHERE id = ?) = 'open'"
  return [
    required(books, here, [account_id], 'account_moving'),
    books
      .prepare(
        `UPDATE webhooks SET status = 'disabled', updated_at = ?3
         WHERE account_id = ?1 AND status = 'active' AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(account_id, JSON.stringify(ids), at),
  ]
}

/** Whether the webhook of an audit entry is active before the change. */
export const WEBHOOK_IS_ACTIVE = `EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = entry.resource_id
  AND webhooks.account_id = entry.account_id AND status = 'active')`

/** Ends a slice of the waiting deliveries of disabled webhooks. Returns whether more may be left. */
export async function expireSlice(
  books: BooksDb,
  account_id: string,
  webhook_ids: readonly string[],
  at: string,
): Promise<boolean> {
  const { meta } = await books
    .prepare(
      `UPDATE webhook_deliveries SET status = 'expired', updated_at = ?3 WHERE id IN
         (SELECT delivery.id FROM webhook_deliveries delivery JOIN webhooks ON webhooks.id = webhook_id
          WHERE delivery.account_id = ?1 AND webhook_id IN (SELECT value FROM json_each(?2))
            AND webhooks.status = 'disabled' AND delivery.status = 'pending' LIMIT ${SLICE})`,
    )
    .bind(account_id, JSON.stringify(webhook_ids), at)
    .run()
  return meta.changes === SLICE
}

/** Deletes the calendar address of an account if one of these keys made it. Changes one row, or none. */
export function removeMadeCalendar(
  control: ControlDb,
  account_id: string,
  key_ids: readonly string[],
): D1PreparedStatement {
  return control
    .prepare(
      `DELETE FROM calendar_feeds WHERE account_id = ?1
         AND (SELECT key_id FROM audit_events WHERE audit_events.account_id = ?1 AND resource_id = ?1
                AND ${HAS_OWN_ID} AND action = 'calendar.created' ORDER BY id DESC LIMIT 1)
             IN (SELECT value FROM json_each(?2))`,
    )
    .bind(account_id, JSON.stringify(key_ids))
}

/** Revokes the open links to customers that these keys made. Its batch fails unless the books are here. */
export async function revokeMadeLinks(
  books: BooksDb,
  account_id: string,
  key_ids: readonly string[],
  at: string,
): Promise<number> {
  const here: string = "(SELECT home FROM accounts WHERE id = ?) = 'open'"
  const [, revoked] = await books.batch([
    required(books, here, [account_id], 'account_moving'),
    books
      .prepare(
        `UPDATE certificate_requests SET revoked_at = ?3
         WHERE account_id = ?1 AND key_id IN (SELECT value FROM json_each(?2))
           AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?3`,
      )
      .bind(account_id, JSON.stringify(key_ids), at),
  ])
  return revoked?.meta.changes ?? 0
}

/** Removes the chat of the daily message if one of these keys named it. Changes one row, or none. */
export function removeMadeChat(
  control: ControlDb,
  account_id: string,
  key_ids: readonly string[],
): D1PreparedStatement {
  return control
    .prepare(
      `UPDATE message_settings SET chat_format = NULL, chat_host = NULL, chat_url = NULL, chat_secret = NULL
       WHERE account_id = ?1 AND chat_url IS NOT NULL
         AND (SELECT key_id FROM audit_events WHERE audit_events.account_id = ?1 AND resource_id = ?1
                AND ${HAS_OWN_ID}
                AND action = 'messages.updated' AND instr(changed, '"chat"') > 0 ORDER BY id DESC LIMIT 1)
             IN (SELECT value FROM json_each(?2))`,
    )
    .bind(account_id, JSON.stringify(key_ids))
}

/** The shops on Saleor that are answered with these keys. */
export async function readShopsOfKeys(
  control: ControlDb,
  account_id: string,
  key_ids: readonly string[],
): Promise<string[]> {
  const { results } = await control
    .prepare(
      `SELECT id FROM saleor_installs
       WHERE account_id = ? AND key_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .bind(account_id, JSON.stringify(key_ids))
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** The statements that disconnect shops: their tokens are deleted, and what is known of refused orders. */
export function removeShops(
  control: ControlDb,
  account_id: string,
  ids: readonly string[],
): D1PreparedStatement[] {
  const given = [account_id, JSON.stringify(ids)]
  return [
    control.prepare(
      `DELETE FROM saleor_refused_orders
       WHERE account_id = ? AND install_id IN (SELECT value FROM json_each(?))`,
    ),
    control.prepare(
      'DELETE FROM saleor_installs WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))',
    ),
  ].map((statement) => statement.bind(...given))
}

/** Whether the shop of an audit entry is connected before the change. */
export const SHOP_IS_CONNECTED = `EXISTS (SELECT 1 FROM saleor_installs
  WHERE saleor_installs.id = entry.resource_id AND saleor_installs.account_id = entry.account_id)`
