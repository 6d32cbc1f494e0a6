import { allColumnsOf } from '../../platform/database/column-list.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { Context } from '../../platform/context.ts'
import type { webhooks } from '../../platform/database/tables/webhooks.ts'
import { required } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import { invariant } from '../../engine/ground/invariant.ts'

export type WebhookRow = Omit<typeof webhooks.$inferSelect, 'account_id'>

const COLUMNS = allColumnsOf<WebhookRow>()(
  `id, url, events, status, description, secret, consecutive_failures, paused_until,
  last_failed_at, last_succeeded_at, created_at, updated_at, failure_counted_at, previous_secret,
  previous_secret_until, challenge_id`,
)

/** The most webhooks of an account with one address, so that nobody multiplies its events. */
const WEBHOOKS_OF_URL_MAX = 3

/** A webhook of the account. Throws not_found. */
export async function readWebhook({ books, principal }: Context, id: string): Promise<WebhookRow> {
  const row = await books
    .prepare(`SELECT ${COLUMNS} FROM webhooks WHERE account_id = ? AND id = ?`)
    .bind(principal.account_id, id)
    .first<WebhookRow>()
  if (row === null) throw new ApiError('not_found')
  return row
}

/** A page of the account's webhooks, newest first, and their total number. */
export async function readWebhooks(
  { books, principal }: Context,
  limit: number,
  offset: number,
): Promise<{ rows: WebhookRow[]; total: number }> {
  const [rows, count] = await books.batch<WebhookRow & { total: number }>([
    books
      .prepare(`SELECT ${COLUMNS} FROM webhooks WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`)
      .bind(principal.account_id, limit, offset),
    books.prepare('SELECT count(*) AS total FROM webhooks WHERE account_id = ?').bind(principal.account_id),
  ])
  return { rows: rowsOf(rows), total: totalOf(count) }
}

/**
 * How many webhooks of the account are disabled and how many active ones fail, of all, which the quota
 * bounds; and the newest of them, the disabled ones first.
 */
export async function readTroubledWebhooks(
  { books, principal }: Context,
  limit: number,
): Promise<{ rows: WebhookRow[]; total: number; disabled: number; failing: number }> {
  const [counts, rows] = await books.batch<WebhookRow & { total: number; disabled: number; failing: number }>(
    [
      books
        .prepare(
          `SELECT count(*) AS total, count(*) FILTER (WHERE status <> 'active') AS disabled,
           count(*) FILTER (WHERE status = 'active' AND consecutive_failures > 0) AS failing
         FROM webhooks WHERE account_id = ?`,
        )
        .bind(principal.account_id),
      books
        .prepare(
          `SELECT ${COLUMNS} FROM webhooks
         WHERE account_id = ? AND (status <> 'active' OR consecutive_failures > 0)
         ORDER BY status = 'active', id DESC LIMIT ?`,
        )
        .bind(principal.account_id, limit),
    ],
  )
  const { total, disabled, failing } = invariant(counts?.results[0], 'a count has a row')
  return { rows: rowsOf(rows), total, disabled, failing }
}

/**
 * A statement that fails the batch with too_many_webhooks_of_url if the account has too many webhooks with
 * one address. The query of a URL does not make another address. Put it after the change.
 */
export function withinAddress({ books, principal }: Context, url: string): D1PreparedStatement {
  return required(
    books,
    `(SELECT count(*) FROM webhooks WHERE account_id = ?
      AND substr(url, 1, instr(url || '?', '?') - 1) = ?) <= ?`,
    [principal.account_id, url.split('?')[0] ?? url, WEBHOOKS_OF_URL_MAX],
    'too_many_webhooks_of_url',
  )
}

export function insertWebhook({ books, principal }: Context, row: WebhookRow): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO webhooks (account_id, id, url, events, status, description, secret, challenge_id,
         created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
    )
    .bind(
      principal.account_id,
      row.id,
      row.url,
      row.events,
      row.status,
      row.description,
      row.secret,
      row.challenge_id,
      row.created_at,
    )
}

type Changes = {
  url: string
  events: string
  status: WebhookRow['status'] | null
  description: string | null
  challenge_id: string | null
  updated_at: string
}

/**
 * Changes the fields that callers may change: one row, or no row if it was changed or deleted since it was
 * read. A status of null leaves the status as it is. If a disabled webhook becomes active, its count of
 * failures is reset.
 */
export function changeWebhook(
  { books, principal }: Context,
  before: Pick<WebhookRow, 'id' | 'updated_at'>,
  { url, events, status, description, challenge_id, updated_at }: Changes,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhooks SET url = ?1, events = ?2, description = ?3, updated_at = ?4,
       status = coalesce(?5, status),
       consecutive_failures = iif(?5 = 'active' AND status = 'disabled', 0, consecutive_failures),
       paused_until = iif(?5 = 'active' AND status = 'disabled', NULL, paused_until),
       failure_counted_at = iif(?5 = 'active' AND status = 'disabled', NULL, failure_counted_at),
       challenge_id = ?9
     WHERE account_id = ?6 AND id = ?7 AND updated_at = ?8`,
    )
    .bind(
      url,
      events,
      description,
      updated_at,
      status,
      principal.account_id,
      before.id,
      before.updated_at,
      challenge_id,
    )
}

/**
 * Replaces the secret. The old one stays as the previous secret until a moment; null: it ends at once.
 * Changes nothing if another rotation has promised an overlap since `promised` was read.
 */
export function replaceSecret(
  { books, principal, now }: Context,
  id: string,
  secret: string,
  { promised, until }: { promised: string | null; until: string | null },
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhooks SET previous_secret = iif(?2 IS NULL, NULL, secret), previous_secret_until = ?2,
       secret = ?1, updated_at = ?3
     WHERE account_id = ?4 AND id = ?5 AND (?2 IS NULL OR previous_secret_until IS ?6)`,
    )
    .bind(secret, until, now.toISOString(), principal.account_id, id, promised)
}

/** Expires pending deliveries that are too old to be sent. */
export function expireDeliveries(
  { books, principal, now }: Context,
  webhook_id: string,
  created_before: string,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhook_deliveries SET status = 'expired', updated_at = ?
     WHERE account_id = ? AND webhook_id = ? AND status = 'pending' AND created_at < ?`,
    )
    .bind(now.toISOString(), principal.account_id, webhook_id, created_before)
}

/** The statements that delete a webhook, and first everything that refers to it. */
export function removeWebhook(
  { books, principal }: Context,
  id: string,
): { deliveries: D1PreparedStatement[]; webhook: D1PreparedStatement } {
  const bound = [principal.account_id, id]
  return {
    deliveries: [
      books
        .prepare(
          `DELETE FROM webhook_attempts WHERE delivery_id IN
             (SELECT id FROM webhook_deliveries WHERE account_id = ? AND webhook_id = ?)`,
        )
        .bind(...bound),
      books.prepare('DELETE FROM webhook_deliveries WHERE account_id = ? AND webhook_id = ?').bind(...bound),
    ],
    webhook: books.prepare('DELETE FROM webhooks WHERE account_id = ? AND id = ?').bind(...bound),
  }
}
