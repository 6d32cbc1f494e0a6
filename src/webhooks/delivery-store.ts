import { newId } from '../database/ids.ts'
import { MESSAGES_MAX } from '../queue/send.ts'
import type { Outcome } from './post.ts'
import { FAILURES_MAX } from './retry-delays.ts'
import type { Waiting } from './wake-ups.ts'

/** Longer than an attempt can take: whoever holds a lease when it ends has died. */
const LEASE_MS = 60_000
/** Deliveries of one webhook that may be under way at once; one alone while its last attempt failed. */
const IN_FLIGHT_MAX = 5

/** A delivery that was leased, with all that its attempt needs. */
export type LeasedDelivery = {
  id: string
  webhook_id: string
  event_id: string
  attempts: number
  url: string
  secret: string
  type: string
  data: string
  occurred_at: string
}

const FREE = '(leased_until IS NULL OR leased_until <= ?2)'
/** Whether a webhook takes another delivery now. ?2 is the moment. */
const TAKES_ANOTHER = `webhook.status = 'active' AND (webhook.paused_until IS NULL OR webhook.paused_until <= ?2)
  AND (SELECT count(*) FROM webhook_deliveries other WHERE other.webhook_id = webhook.id AND other.status = 'pending' AND other.leased_until > ?2)
    < iif(webhook.consecutive_failures > 0, 1, ${IN_FLIGHT_MAX})`

/**
 * Takes a delivery for one attempt: when it is due, not under way, and its webhook takes another. Null when
 * not, so that a message that comes twice or too early does nothing.
 */
export async function leaseDelivery(db: D1Database, id: string, now: Date): Promise<LeasedDelivery | null> {
  const at = now.toISOString()
  const [leased, rows] = await db.batch<LeasedDelivery>([
    db
      .prepare(
        `UPDATE webhook_deliveries SET leased_until = ?3, attempts = attempts + 1, updated_at = ?2
         WHERE id = ?1 AND status = 'pending' AND next_attempt_at <= ?2 AND ${FREE}
           AND EXISTS (SELECT 1 FROM webhooks webhook WHERE webhook.id = webhook_deliveries.webhook_id AND ${TAKES_ANOTHER})`,
      )
      .bind(id, at, new Date(now.getTime() + LEASE_MS).toISOString()),
    db
      .prepare(
        `SELECT delivery.id, webhook_id, event_id, attempts, url, secret, type, data, event.created_at AS occurred_at
         FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id JOIN events event ON event.id = event_id
         WHERE delivery.id = ?`,
      )
      .bind(id),
  ])
  return leased?.meta.changes === 1 ? (rows?.results[0] ?? null) : null
}

/** Records a success. A late one does not revive a webhook that was disabled meanwhile. */
export async function recordSuccess(
  db: D1Database,
  delivery: LeasedDelivery,
  outcome: Outcome,
  at: Date,
): Promise<void> {
  const now = at.toISOString()
  await db.batch([
    insertAttempt(db, delivery, outcome, now),
    db
      .prepare(
        `UPDATE webhook_deliveries SET status = 'succeeded', leased_until = NULL, updated_at = ? WHERE id = ?`,
      )
      .bind(now, delivery.id),
    db
      .prepare(
        `UPDATE webhooks SET last_succeeded_at = ?1, consecutive_failures = iif(status = 'active', 0, consecutive_failures),
           paused_until = iif(status = 'active', NULL, paused_until) WHERE id = ?2`,
      )
      .bind(now, delivery.webhook_id),
  ])
}

/**
 * Records a failure, and the next attempt after so many seconds, or none. The fifth in a row disables the
 * webhook, with an audit event. While failures last, everything else for the webhook waits as long as the
 * schedule says for that number of failures. Returns when to wake it again; null where nothing more is tried.
 */
export async function recordFailure(
  db: D1Database,
  delivery: LeasedDelivery,
  outcome: Outcome,
  at: Date,
  delays: readonly number[],
): Promise<string | null> {
  const now = at.toISOString()
  const delay = delays[delivery.attempts - 1]
  const pauses = JSON.stringify(delays.map((seconds) => later(at, seconds)))
  const next_attempt_at = later(at, delay ?? 0)
  const results = await db.batch<{ paused_until: string | null }>([
    insertAttempt(db, delivery, outcome, now),
    db
      .prepare(
        `UPDATE webhook_deliveries SET status = ?, next_attempt_at = ?, leased_until = NULL, updated_at = ? WHERE id = ?`,
      )
      .bind(delay === undefined ? 'failed' : 'pending', next_attempt_at, now, delivery.id),
    db
      .prepare(
        `UPDATE webhooks SET last_failed_at = ?1, consecutive_failures = consecutive_failures + 1,
           paused_until = json_extract(?2, '$[' || consecutive_failures || ']')
         WHERE id = ?3 AND status = 'active'`,
      )
      .bind(now, pauses, delivery.webhook_id),
    db
      .prepare(
        `UPDATE webhooks SET status = 'disabled', updated_at = ? WHERE id = ? AND status = 'active' AND consecutive_failures >= ${FAILURES_MAX}`,
      )
      .bind(now, delivery.webhook_id),
    db
      .prepare(
        `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
         SELECT ?1, account_id, 'system', 'webhook.disabled', id, '["status"]', ?2, ?3 FROM webhooks WHERE id = ?4 AND changes() = 1`,
      )
      .bind(newId('aud'), newId('req'), now, delivery.webhook_id),
    db
      .prepare(`SELECT paused_until FROM webhooks WHERE id = ? AND status = 'active'`)
      .bind(delivery.webhook_id),
  ])
  const [webhook] = results.at(-1)?.results ?? []
  if (delay === undefined || webhook === undefined) return null
  return webhook.paused_until !== null && webhook.paused_until > next_attempt_at
    ? webhook.paused_until
    : next_attempt_at
}

function insertAttempt(
  db: D1Database,
  { id, attempts }: LeasedDelivery,
  outcome: Outcome,
  now: string,
): D1PreparedStatement {
  // A webhook that is deleted during an attempt takes its deliveries with it.
  return db
    .prepare(
      `INSERT INTO webhook_attempts (delivery_id, attempt, attempted_at, duration_ms, response_status, error)
       SELECT id, ?2, ?3, ?4, ?5, ?6 FROM webhook_deliveries WHERE id = ?1`,
    )
    .bind(id, attempts, now, outcome.duration_ms, outcome.response_status, outcome.error)
}

/**
 * What a webhook could be sent next, the earliest first: as many as it takes at once. Messages that were too
 * early are made up for by this.
 */
export async function readNext(db: D1Database, webhook_id: string, now: Date): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT delivery.id FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = delivery.webhook_id
       WHERE delivery.webhook_id = ?1 AND delivery.status = 'pending' AND next_attempt_at <= ?2 AND ${FREE} AND ${TAKES_ANOTHER}
       ORDER BY next_attempt_at LIMIT ${IN_FLIGHT_MAX}`,
    )
    .bind(webhook_id, now.toISOString())
    .all<{ id: string }>()
  return results.map((row) => row.id)
}

/** Deliveries of a webhook that wait, the earliest first: as many as a queue takes at once. */
export async function readWaiting(db: D1Database, webhook_id: string): Promise<Waiting[]> {
  const { results } = await db
    .prepare(
      `SELECT id, next_attempt_at FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending' ORDER BY next_attempt_at LIMIT ${MESSAGES_MAX}`,
    )
    .bind(webhook_id)
    .all<Waiting>()
  return results
}

function later(at: Date, seconds: number): string {
  return new Date(at.getTime() + seconds * 1_000).toISOString()
}
