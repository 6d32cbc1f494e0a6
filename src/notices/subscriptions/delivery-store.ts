import type { Context } from '../../platform/context.ts'
import type { webhook_attempts, webhook_deliveries } from '../../platform/database/tables/webhooks.ts'
import { ApiError } from '../../platform/errors.ts'

export type DeliveryRow = Pick<
  typeof webhook_deliveries.$inferSelect,
  'id' | 'webhook_id' | 'event_id' | 'status' | 'next_attempt_at' | 'created_at' | 'updated_at'
> & { event: string; subject: string | null }
export type AttemptRow = typeof webhook_attempts.$inferSelect

type EventOfDelivery = { event_id: string; type: string; data: string; occurred_at: string }

type DeliveryFilter = {
  status?: DeliveryRow['status'] | undefined
  cursor?: string | undefined
  limit: number
}

/** What an event is about: the reference of its sale, else the id of the sale, the place or the region. */
const SUBJECT = `coalesce(event.data ->> '$.external_id',
    (SELECT external_id FROM transactions sale
     WHERE sale.account_id = ?1 AND sale.id = event.data ->> '$.transaction_id'),
    event.data ->> '$.transaction_id', event.data ->> '$.jurisdiction_id',
    event.data ->> '$.region')` as const

const SELECT = `SELECT delivery.id, webhook_id, event_id, type AS event, ${SUBJECT} AS subject,
    delivery.status, next_attempt_at, delivery.created_at, delivery.updated_at
  FROM webhook_deliveries delivery JOIN events event ON event.id = event_id
  WHERE account_id = ?1 AND webhook_id = ?2` as const

/** A page of the deliveries of a webhook before the cursor, newest first. */
export async function readDeliveries(
  { books, principal }: Context,
  webhook_id: string,
  { status, cursor, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const { results } = await books
    .prepare(
      `${SELECT} AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR delivery.id < ?4)
     ORDER BY delivery.id DESC LIMIT ?5`,
    )
    .bind(principal.account_id, webhook_id, status ?? null, cursor ?? null, limit)
    .all<DeliveryRow>()
  return results
}

/** A delivery of a webhook. Throws not_found. */
export async function readDelivery(
  { books, principal }: Context,
  webhook_id: string,
  id: string,
): Promise<DeliveryRow> {
  const row = await books
    .prepare(`${SELECT} AND delivery.id = ?3`)
    .bind(principal.account_id, webhook_id, id)
    .first<DeliveryRow>()
  if (row === null) throw new ApiError('not_found')
  return row
}

/** The event of a delivery: what its attempts send. Throws not_found. */
export async function readEventOfDelivery(
  { books, principal }: Context,
  webhook_id: string,
  id: string,
): Promise<EventOfDelivery> {
  const row = await books
    .prepare(
      `SELECT event_id, type, data, event.created_at AS occurred_at
     FROM webhook_deliveries delivery JOIN events event ON event.id = event_id
     WHERE account_id = ? AND webhook_id = ? AND delivery.id = ?`,
    )
    .bind(principal.account_id, webhook_id, id)
    .first<EventOfDelivery>()
  if (row === null) throw new ApiError('not_found')
  return row
}

/** The attempts at the given deliveries by delivery, the earliest first. */
export async function readAttempts(
  { books }: Context,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string, AttemptRow[]>> {
  const { results } = await books
    .prepare(
      `SELECT delivery_id, attempt, attempted_at, response_status, error, duration_ms FROM webhook_attempts
     WHERE delivery_id IN (SELECT value FROM json_each(?)) ORDER BY delivery_id, attempt`,
    )
    .bind(JSON.stringify(deliveries.map((row) => row.id)))
    .all<AttemptRow>()
  return Map.groupBy(results, (attempt) => attempt.delivery_id)
}

/**
 * Makes a delivery due now. Changes one row, or no row if it is under way: pending and due, and its webhook
 * does not pause.
 */
export function makeDeliveryDue(
  { books, principal, now }: Context,
  webhook_id: string,
  id: string,
): D1PreparedStatement {
  const at = now.toISOString()
  return books
    .prepare(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ?1, updated_at = ?1
     WHERE account_id = ?2 AND webhook_id = ?3 AND id = ?4
       AND (status <> 'pending' OR next_attempt_at > ?1
         OR EXISTS (SELECT 1 FROM webhooks
           WHERE webhooks.account_id = ?2 AND webhooks.id = ?3 AND paused_until > ?1))`,
    )
    .bind(at, principal.account_id, webhook_id, id)
}
