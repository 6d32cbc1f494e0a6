import { dayOf } from '../../platform/kit/calendar.ts'
import type { AnyDb, BooksDb } from '../../platform/database/databases.ts'
import { firstIdAt, newId } from '../../platform/database/ids.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { countDeliveries } from '../../notices/delivery/delivery-count-store.ts'

/** A moment before the close, so that clocks may differ. */
const MARGIN_MS = 60_000
/** The fan-out of a shared event begins in all shards within this time, or is pending in one. */
const SPREAD_MS = 86_400_000

/**
 * Makes the deliveries of shared events that the account would have got in its old shard: their fan-out there
 * was not finished when the account left, and the fan-out of the new shard may have passed the account's
 * webhooks before they came. A delivery that exists stays as it is.
 */
export async function deliverMissed(
  old: BooksDb,
  books: BooksDb,
  account_id: string,
  closed_at: string,
  now: Date,
): Promise<void> {
  const closed = Date.parse(closed_at)
  const settled = new Date(closed - MARGIN_MS).toISOString()
  const since = firstIdAt('evt', new Date(closed - SPREAD_MS))
  const finished = await readShared(old, since, 'fanned_out_at <= ?2', settled)
  const pending = await readShared(old, '', '(fanned_out_at IS NULL OR fanned_out_at > ?2)', settled)
  const arrived = await readShared(books, since, '?2 IS NOT NULL', settled)
  const done = new Set(finished)
  const open = [...new Set([...pending, ...arrived])].filter((id) => !done.has(id))
  if (open.length === 0) return
  const at = now.toISOString()
  const missed = await readMissing(books, account_id, open)
  const rows = missed.map((row) => ({
    ...row,
    id: newId('dlv'),
    account_id,
    status: 'pending' as const,
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }))
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await books.batch([
    ...insertRows(books, 'webhook_deliveries', rows, 'OR IGNORE'),
    countDeliveries(books, ids, dayOf(now)),
  ])
}

async function readShared(db: AnyDb, since: string, condition: string, settled: string): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT id FROM events WHERE owner_account_id IS NULL AND id >= ?1 AND ${condition}`)
    .bind(since, settled)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

async function readMissing(
  books: BooksDb,
  account_id: string,
  event_ids: readonly string[],
): Promise<{ webhook_id: string; event_id: string }[]> {
  return rowsOf(
    await books
      .prepare(
        `SELECT webhook.id AS webhook_id, event.id AS event_id FROM webhooks webhook, events event
         WHERE webhook.account_id = ?1 AND webhook.status = 'active'
           AND event.id IN (SELECT value FROM json_each(?2)) AND webhook.created_at <= event.created_at
           AND EXISTS (SELECT 1 FROM json_each(webhook.events) WHERE value IN (event.type, '*'))
           AND NOT EXISTS (SELECT 1 FROM webhook_deliveries delivery
                           WHERE delivery.event_id = event.id AND delivery.webhook_id = webhook.id)`,
      )
      .bind(account_id, JSON.stringify(event_ids))
      .all<{ webhook_id: string; event_id: string }>(),
  )
}
