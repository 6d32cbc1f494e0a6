import { guarded } from '../database/guard.ts'
import { commitSystemChange } from '../database/system-change.ts'
import { MESSAGES_MAX } from '../queue/send.ts'
import { type AfterFailure, IN_FLIGHT_MAX, LEASE_MS, type WebhookState } from './delivery-policy.ts'
import type { PostOutcome } from './post.ts'
import type { Waiting } from './send-messages.ts'

/** A leased delivery, with everything that its attempt needs. */
export type LeasedDelivery = {
  id: string
  account_id: string
  webhook_id: string
  event_id: string
  /** The number of this attempt, from 1. */
  attempts: number
  url: string
  secret: string
  type: string
  data: string
  occurred_at: string
  /** The state when the attempt began. */
  webhook: WebhookState
}

const STATE = 'status, consecutive_failures, paused_until, last_failed_at'

const FREE = '(leased_until IS NULL OR leased_until <= ?2)'
/** Whether a webhook accepts another delivery now. ?2 is the moment. */
const ACCEPTS_ANOTHER = `webhook.status = 'active'
  AND (webhook.paused_until IS NULL OR webhook.paused_until <= ?2)
  AND (SELECT count(*) FROM webhook_deliveries other
       WHERE other.webhook_id = webhook.id AND other.status = 'pending' AND other.leased_until > ?2)
    < iif(webhook.consecutive_failures > 0, 1, ${IN_FLIGHT_MAX})`

/**
 * Leases a delivery for one attempt if it is due, not under way, and its webhook accepts another one. Else
 * returns null, so a message that arrives twice or too early does nothing.
 */
export async function leaseDelivery(db: D1Database, id: string, now: Date): Promise<LeasedDelivery | null> {
  const at = now.toISOString()
  const [leased, rows] = await db.batch<Omit<LeasedDelivery, 'webhook'> & WebhookState>([
    db
      .prepare(
        `UPDATE webhook_deliveries SET leased_until = ?3, attempts = attempts + 1, updated_at = ?2
         WHERE id = ?1 AND status = 'pending' AND next_attempt_at <= ?2 AND ${FREE}
           AND EXISTS (SELECT 1 FROM webhooks webhook
                       WHERE webhook.id = webhook_deliveries.webhook_id AND ${ACCEPTS_ANOTHER})`,
      )
      .bind(id, at, new Date(now.getTime() + LEASE_MS).toISOString()),
    db
      .prepare(
        `SELECT delivery.id, delivery.account_id, webhook_id, event_id, attempts, url, secret, type, data,
           event.created_at AS occurred_at, webhook.status, consecutive_failures, paused_until,
           last_failed_at
         FROM webhook_deliveries delivery
         JOIN webhooks webhook ON webhook.id = webhook_id
         JOIN events event ON event.id = event_id
         WHERE delivery.id = ?`,
      )
      .bind(id),
  ])
  const row = rows?.results[0]
  if (leased?.meta.changes !== 1 || row === undefined) return null
  const { status, consecutive_failures, paused_until, last_failed_at, ...delivery } = row
  return { ...delivery, webhook: { status, consecutive_failures, paused_until, last_failed_at } }
}

/** Records a success. A late success does not enable a webhook that was disabled meanwhile. */
export async function recordSuccess(
  db: D1Database,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  at: Date,
): Promise<void> {
  const now = at.toISOString()
  await db.batch([
    insertAttempt(db, delivery, outcome, now),
    db
      .prepare(
        `UPDATE webhook_deliveries SET status = 'succeeded', leased_until = NULL, updated_at = ?
         WHERE id = ?`,
      )
      .bind(now, delivery.id),
    db
      .prepare(
        `UPDATE webhooks SET last_succeeded_at = ?1,
           consecutive_failures = iif(status = 'active', 0, consecutive_failures),
           paused_until = iif(status = 'active', NULL, paused_until)
         WHERE id = ?2`,
      )
      .bind(now, delivery.webhook_id),
  ])
}

/** The current state of a webhook, which decides whether it gets deliveries. Null if it was deleted. */
export async function readWebhookState(
  db: D1Database,
  { account_id, webhook_id }: LeasedDelivery,
): Promise<WebhookState | null> {
  return db
    .prepare(`SELECT ${STATE} FROM webhooks WHERE account_id = ? AND id = ?`)
    .bind(account_id, webhook_id)
    .first<WebhookState>()
}

/**
 * Records a failure and its consequences, with an audit event if it disables the webhook. Throws
 * concurrent_change if the webhook is no longer in the state `before`.
 */
export async function recordFailure(
  db: D1Database,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  { before, after }: { before: WebhookState; after: AfterFailure },
  at: Date,
): Promise<void> {
  const { account_id, webhook_id } = delivery
  const now = at.toISOString()
  const { status, next_attempt_at } = after.delivery
  const disabled = before.status === 'active' && after.webhook.status === 'disabled'
  await commitSystemChange(db, at, {
    changes: [
      insertAttempt(db, delivery, outcome, now),
      db
        .prepare(
          `UPDATE webhook_deliveries SET status = ?, next_attempt_at = ?, leased_until = NULL, updated_at = ?
           WHERE id = ?`,
        )
        .bind(status, next_attempt_at, now, delivery.id),
      ...guarded(db, replaceState(db, delivery, before, after.webhook, now), 'concurrent_change'),
    ],
    audit: disabled
      ? [{ account_id, action: 'webhook.disabled', resource_id: webhook_id, changed: ['status'] }]
      : [],
  })
}

/** Changes one row, or no row if another attempt or the account has changed the webhook since it was read. */
function replaceState(
  db: D1Database,
  { account_id, webhook_id }: LeasedDelivery,
  before: WebhookState,
  after: WebhookState,
  now: string,
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE webhooks SET status = ?1, consecutive_failures = ?2, paused_until = ?3, last_failed_at = ?4,
         updated_at = iif(status = ?1, updated_at, ?5)
       WHERE account_id = ?6 AND id = ?7
         AND status = ?8 AND consecutive_failures = ?9 AND paused_until IS ?10 AND last_failed_at IS ?11`,
    )
    .bind(
      after.status,
      after.consecutive_failures,
      after.paused_until,
      after.last_failed_at,
      now,
      account_id,
      webhook_id,
      before.status,
      before.consecutive_failures,
      before.paused_until,
      before.last_failed_at,
    )
}

function insertAttempt(
  db: D1Database,
  { id, attempts }: LeasedDelivery,
  outcome: PostOutcome,
  now: string,
): D1PreparedStatement {
  // If the webhook was deleted during the attempt, its deliveries were deleted too.
  return db
    .prepare(
      `INSERT INTO webhook_attempts (delivery_id, attempt, attempted_at, duration_ms, response_status, error)
       SELECT id, ?2, ?3, ?4, ?5, ?6 FROM webhook_deliveries WHERE id = ?1`,
    )
    .bind(id, attempts, now, outcome.duration_ms, outcome.response_status, outcome.error)
}

/**
 * The deliveries that a webhook could get now, the earliest first, as many as it accepts at once. This finds
 * deliveries whose messages came too early.
 */
export async function readNext(db: D1Database, webhook_id: string, now: Date): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT delivery.id
       FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = delivery.webhook_id
       WHERE delivery.webhook_id = ?1 AND delivery.status = 'pending' AND next_attempt_at <= ?2
         AND ${FREE} AND ${ACCEPTS_ANOTHER}
       ORDER BY next_attempt_at LIMIT ${IN_FLIGHT_MAX}`,
    )
    .bind(webhook_id, now.toISOString())
    .all<{ id: string }>()
  return results.map((row) => row.id)
}

/** The pending deliveries of a webhook, the earliest first, as many as a queue accepts at once. */
export async function readWaiting(db: D1Database, webhook_id: string): Promise<Waiting[]> {
  const { results } = await db
    .prepare(
      `SELECT id, next_attempt_at FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending'
       ORDER BY next_attempt_at LIMIT ${MESSAGES_MAX}`,
    )
    .bind(webhook_id)
    .all<Waiting>()
  return results
}
