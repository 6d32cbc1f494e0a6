import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { events } from '../../platform/database/tables/events.ts'
import { type EventType, NAMED_ONLY } from '../events/event-types.ts'
import { CHALLENGE } from '../delivery/challenge-event.ts'
import type { Waiting } from '../delivery/send-messages.ts'
import type { WebhookRow } from './store.ts'

/** The most events of each kind that one request recovers. */
export const RECOVERED_MAX = 500

type EventRow = Pick<typeof events.$inferSelect, 'id' | 'data' | 'created_at'> & { type: EventType }
type EventFilter = { type: EventType | undefined; after: string; limit: number }

/** The events after an id that concern the account, the oldest first. */
export async function readEvents(
  { books, principal }: Context,
  { type, after, limit }: EventFilter,
): Promise<EventRow[]> {
  const matching = `id > ?2 AND (?3 IS NULL OR type = ?3) AND type <> '${CHALLENGE}'`
  const { results } = await books
    .prepare(
      `SELECT id, type, data, created_at FROM events WHERE owner_account_id IS NULL AND ${matching}
     UNION ALL SELECT id, type, data, created_at FROM events WHERE owner_account_id = ?1 AND ${matching}
     ORDER BY id LIMIT ?4`,
    )
    .bind(principal.account_id, after, type ?? null, limit)
    .all<EventRow>()
  return results
}

/**
 * The events from an id on that a webhook subscribes to and has no delivery of, and its deliveries of such
 * events that failed, expired, or wait for a later attempt or the end of a pause.
 */
export async function readMissed(
  { books, principal, now }: Context,
  webhook: Pick<WebhookRow, 'id' | 'events' | 'paused_until'>,
  from: string,
): Promise<{ missed: string[]; ended: string[] }> {
  const named: string[] = JSON.parse(webhook.events)
  const all = named.includes('*')
  const chosen = `(type IN (SELECT value FROM json_each(?3))
    OR (?4 AND type NOT IN (SELECT value FROM json_each(?5))))`
  const missing = `id >= ?2 AND ${chosen} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries delivery
    WHERE delivery.event_id = events.id AND delivery.webhook_id = ?6)`
  const [missed, ended] = await books.batch<{ id: string }>([
    books
      .prepare(
        `SELECT id FROM events WHERE owner_account_id IS NULL AND ${missing}
       UNION ALL SELECT id FROM events WHERE owner_account_id = ?1 AND ${missing}
       ORDER BY id LIMIT ${RECOVERED_MAX}`,
      )
      .bind(
        principal.account_id,
        from,
        JSON.stringify(named),
        all ? 1 : 0,
        JSON.stringify([...NAMED_ONLY, CHALLENGE]),
        webhook.id,
      ),
    books
      .prepare(
        `SELECT id FROM webhook_deliveries WHERE webhook_id = ?1 AND account_id = ?2 AND event_id >= ?5
         AND (status IN ('failed', 'expired') OR (${WAITS}))
       ORDER BY id LIMIT ${RECOVERED_MAX}`,
      )
      .bind(webhook.id, principal.account_id, now.toISOString(), isPaused(webhook, now) ? 1 : 0, from),
  ])
  return { missed: rowsOf(missed).map((row) => row.id), ended: rowsOf(ended).map((row) => row.id) }
}

/** Whether a delivery waits at ?3 for a later moment, or, if ?4, for the end of the pause of its webhook. */
const WAITS = `status = 'pending' AND (next_attempt_at > ?3
  OR (?4 AND (leased_until IS NULL OR leased_until <= ?3)))` as const

/** Whether a webhook gets nothing now because of its failures. */
export function isPaused({ paused_until }: Pick<WebhookRow, 'paused_until'>, now: Date): boolean {
  return paused_until !== null && paused_until > now.toISOString()
}

/** The deliveries that wait for a later attempt or the end of a pause, the oldest first, at most 500. */
export async function readPutOff(
  { books, principal, now }: Context,
  webhook: Pick<WebhookRow, 'id' | 'paused_until'>,
): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = ?1 AND account_id = ?2 AND (${WAITS})
     ORDER BY id LIMIT ${RECOVERED_MAX}`,
    )
    .bind(webhook.id, principal.account_id, now.toISOString(), isPaused(webhook, now) ? 1 : 0)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** Ends the pause after failures, so that what is due is sent now. The count of the failures stays. */
export function endPause({ books, principal }: Context, webhook_id: string): D1PreparedStatement {
  return books
    .prepare('UPDATE webhooks SET paused_until = NULL WHERE account_id = ? AND id = ?')
    .bind(principal.account_id, webhook_id)
}

/** The statements that make a delivery of each event to a webhook, and the deliveries. */
export function deliveriesOf(
  { books, principal, now }: Context,
  webhook_id: string,
  event_ids: readonly string[],
): { statements: D1PreparedStatement[]; deliveries: Waiting[] } {
  const at = now.toISOString()
  const rows = event_ids.map((event_id) => ({
    id: newId('dlv'),
    account_id: principal.account_id,
    webhook_id,
    event_id,
    status: 'pending' as const,
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }))
  return { statements: insertRows(books, 'webhook_deliveries', rows, 'OR IGNORE'), deliveries: rows }
}

/** Makes deliveries due now that failed, expired or wait. */
export function makeEndedDue(
  { books, principal, now }: Context,
  webhook_id: string,
  ids: readonly string[],
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ?1, updated_at = ?1
     WHERE account_id = ?2 AND webhook_id = ?3 AND id IN (SELECT value FROM json_each(?4))
       AND status <> 'succeeded'`,
    )
    .bind(now.toISOString(), principal.account_id, webhook_id, JSON.stringify(ids))
}
