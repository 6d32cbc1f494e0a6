import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { guarded } from '../../platform/database/guard.ts'
import { beginsAttempts, notAway } from '../../platform/database/home.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import { insertEvents, webhookDisabled } from '../events/events.ts'
import { MESSAGES_MAX } from '../../platform/queue/send.ts'
import {
  type AfterFailure,
  IN_FLIGHT_MAX,
  LEASE_MS,
  LOST_LEASES_MAX,
  type WebhookState,
} from './delivery-policy.ts'
import type { PostOutcome } from './post.ts'
import type { Waiting } from './send-messages.ts'

/** A leased delivery, with everything that its attempt needs. */
export type LeasedDelivery = {
  id: string
  account_id: string
  webhook_id: string
  event_id: string
  /** The number of this attempt, from 1. */
  attempt: number
  /** The number of this lease. If it is taken over, the row has another one. */
  leases: number
  url: string
  secret: string
  previous_secret: string | null
  previous_secret_until: string | null
  type: string
  data: string
  occurred_at: string
  /** The state when the attempt began. */
  webhook: WebhookState
}

const STATE = 'webhook.status, consecutive_failures, paused_until, last_failed_at, failure_counted_at'

/**
 * Whether the lease ?2 of the delivery ?1 is still the last one, the delivery waits for its end, and its
 * account was not moved to another shard.
 */
const HELD = `id = ?1 AND leases = ?2 AND status = 'pending' AND ${notAway('webhook_deliveries.account_id')}`

const FREE = '(leased_until IS NULL OR leased_until <= ?2)'
/** Whether the host of a webhook need not confirm, or this is the delivery that asks it. */
export function confirmed(webhook: string, delivery: string): string {
  return `(${webhook}.challenge_id IS NULL OR ${webhook}.challenge_id = ${delivery}.id)`
}

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
export async function leaseDelivery(books: BooksDb, id: string, now: Date): Promise<LeasedDelivery | null> {
  const at = now.toISOString()
  const [leased, rows] = await books.batch<Omit<LeasedDelivery, 'webhook'> & WebhookState>([
    books
      .prepare(
        `UPDATE webhook_deliveries SET leased_until = ?3, leases = leases + 1, updated_at = ?2
         WHERE id = ?1 AND status = 'pending' AND next_attempt_at <= ?2 AND ${FREE}
           AND leases < attempts + ${LOST_LEASES_MAX}
           AND ${beginsAttempts('webhook_deliveries.account_id')}
           AND EXISTS (SELECT 1 FROM webhooks webhook
                       WHERE webhook.id = webhook_deliveries.webhook_id AND ${ACCEPTS_ANOTHER}
                         AND ${confirmed('webhook', 'webhook_deliveries')})`,
      )
      .bind(id, at, new Date(now.getTime() + LEASE_MS).toISOString()),
    books
      .prepare(
        `SELECT delivery.id, delivery.account_id, webhook_id, event_id, attempts + 1 AS attempt, leases, url,
           secret, previous_secret, previous_secret_until, type, data, event.created_at AS occurred_at,
           ${STATE}
         FROM webhook_deliveries delivery
         JOIN webhooks webhook ON webhook.id = webhook_id
         JOIN events event ON event.id = event_id
         WHERE delivery.id = ?`,
      )
      .bind(id),
  ])
  const row = rows?.results[0]
  if (leased?.meta.changes !== 1 || row === undefined) return null
  const { status, consecutive_failures, paused_until, last_failed_at, failure_counted_at, ...delivery } = row
  const webhook = { status, consecutive_failures, paused_until, last_failed_at, failure_counted_at }
  return { ...delivery, webhook }
}

/**
 * Gives a lease back, and lets the delivery wait until a moment. It was no attempt, so nothing is counted,
 * also not the lease. No other attempt has this number, because the row still has it.
 */
export async function putOffDelivery(
  books: BooksDb,
  { id, leases }: LeasedDelivery,
  until: string,
  at: Date,
): Promise<void> {
  await books
    .prepare(
      `UPDATE webhook_deliveries SET leased_until = NULL, leases = leases - 1, next_attempt_at = ?3,
         updated_at = ?4
       WHERE ${HELD}`,
    )
    .bind(id, leases, until, at.toISOString())
    .run()
}

/**
 * Records a success. The answer to the challenge of a webhook confirms its host. A late success does not
 * enable a webhook that was disabled meanwhile, and an attempt whose lease was taken over writes nothing.
 * Returns the deliveries that the webhook can get next.
 */
export async function recordSuccess(
  books: BooksDb,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  at: Date,
): Promise<string[]> {
  const { id, leases, webhook_id } = delivery
  const now = at.toISOString()
  const results = await books.batch([
    insertAttempt(books, delivery, outcome, now),
    books
      .prepare(
        `UPDATE webhooks SET last_succeeded_at = ?3,
           consecutive_failures = iif(status = 'active', 0, consecutive_failures),
           paused_until = iif(status = 'active', NULL, paused_until),
           challenge_id = nullif(challenge_id, ?1)
         WHERE id = ?4 AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${HELD})`,
      )
      .bind(id, leases, now, webhook_id),
    books
      .prepare(
        `UPDATE webhook_deliveries SET status = 'succeeded', attempts = attempts + 1, leased_until = NULL,
           updated_at = ?3
         WHERE ${HELD}`,
      )
      .bind(id, leases, now),
    selectNext(books, webhook_id, now),
  ])
  return nextOf(results)
}

/**
 * The current state of a webhook, which decides whether it gets deliveries. Null if the webhook was deleted,
 * or the lease of the delivery was taken over.
 */
export async function readWebhookState(
  books: BooksDb,
  { account_id, webhook_id, id, leases }: LeasedDelivery,
): Promise<WebhookState | null> {
  return books
    .prepare(
      `SELECT ${STATE} FROM webhooks webhook WHERE webhook.account_id = ?3 AND webhook.id = ?4
         AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${HELD})`,
    )
    .bind(id, leases, account_id, webhook_id)
    .first<WebhookState>()
}

/**
 * Records a failure and its consequences. If it disables the webhook, also an audit event, and an event for
 * the account's other webhooks. Returns the deliveries that the webhook can get next. Throws
 * concurrent_change if the webhook is no longer in the state `before`, or the lease was taken over.
 */
export async function recordFailure(
  env: Bindings,
  shard: Shard,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  { before, after }: { before: WebhookState; after: AfterFailure },
  at: Date,
): Promise<string[]> {
  const { books } = shard
  const { id, leases, account_id, webhook_id } = delivery
  const now = at.toISOString()
  const { status, next_attempt_at } = after.delivery
  const disabled = before.status === 'active' && after.webhook.status === 'disabled'
  const results = await commitSystemChange(books, at, {
    changes: [
      insertAttempt(books, delivery, outcome, now),
      ...guarded(books, replaceState(books, delivery, before, after.webhook, now), 'concurrent_change'),
      books
        .prepare(
          `UPDATE webhook_deliveries SET status = ?3, attempts = attempts + 1, next_attempt_at = ?4,
             leased_until = NULL, updated_at = ?5
           WHERE ${HELD}`,
        )
        .bind(id, leases, status, next_attempt_at, now),
      selectNext(books, webhook_id, now),
    ],
    audit: disabled
      ? [
          {
            account_id,
            action: 'webhook.disabled',
            resource_id: webhook_id,
            changed: ['status'],
            values: { status: { old: 'active', new: 'disabled' } },
          },
        ]
      : [],
    events: insertEvents(env, shard, disabled ? [webhookDisabled(delivery, after.webhook)] : [], at),
  })
  return nextOf(results)
}

/**
 * Changes one row. Changes no row if another attempt or the account has changed the webhook since it was
 * read, or the lease of the delivery was taken over.
 */
function replaceState(
  books: BooksDb,
  { account_id, webhook_id, id, leases }: LeasedDelivery,
  before: WebhookState,
  after: WebhookState,
  now: string,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhooks SET status = ?3, consecutive_failures = ?4, paused_until = ?5, last_failed_at = ?6,
         failure_counted_at = ?7, updated_at = iif(status = ?3, updated_at, ?8)
       WHERE account_id = ?9 AND id = ?10
         AND status = ?11 AND consecutive_failures = ?12 AND paused_until IS ?13 AND last_failed_at IS ?14
         AND failure_counted_at IS ?15 AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${HELD})`,
    )
    .bind(
      id,
      leases,
      after.status,
      after.consecutive_failures,
      after.paused_until,
      after.last_failed_at,
      after.failure_counted_at,
      now,
      account_id,
      webhook_id,
      before.status,
      before.consecutive_failures,
      before.paused_until,
      before.last_failed_at,
      before.failure_counted_at,
    )
}

/** Adds an attempt, unless its lease was taken over or the webhook was deleted during the attempt. */
function insertAttempt(
  books: BooksDb,
  { id, leases, attempt }: LeasedDelivery,
  outcome: PostOutcome,
  now: string,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO webhook_attempts (delivery_id, attempt, attempted_at, duration_ms, response_status, error)
       SELECT id, ?3, ?4, ?5, ?6, ?7 FROM webhook_deliveries WHERE ${HELD}`,
    )
    .bind(id, leases, attempt, now, outcome.duration_ms, outcome.response_status, outcome.error)
}

/**
 * Selects the deliveries that a webhook can get now, the earliest first, as many as it accepts beside those
 * under way. This finds deliveries whose messages came too early. It is part of the batch that records an
 * attempt, so that it costs no trip.
 */
function selectNext(books: BooksDb, webhook_id: string, now: string): D1PreparedStatement {
  return books
    .prepare(
      `SELECT delivery.id AS next_id
       FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = delivery.webhook_id
       WHERE delivery.webhook_id = ?1 AND delivery.status = 'pending' AND next_attempt_at <= ?2
         AND ${FREE} AND ${ACCEPTS_ANOTHER} AND ${beginsAttempts('webhook.account_id')}
         AND ${confirmed('webhook', 'delivery')}
       ORDER BY next_attempt_at
       LIMIT (SELECT max(0, iif(consecutive_failures > 0, 1, ${IN_FLIGHT_MAX}) -
                (SELECT count(*) FROM webhook_deliveries
                 WHERE webhook_id = ?1 AND status = 'pending' AND leased_until > ?2))
              FROM webhooks WHERE id = ?1)`,
    )
    .bind(webhook_id, now)
}

/** The rows of `selectNext`, the last statement of a batch. */
function nextOf(results: readonly D1Result[]): string[] {
  return rowsOf<{ next_id: string }>(results.at(-1)).map((row) => row.next_id)
}

/** The pending deliveries of a webhook, the earliest first, as many as a queue accepts at once. */
export async function readWaiting(books: BooksDb, webhook_id: string): Promise<Waiting[]> {
  const { results } = await books
    .prepare(
      `SELECT id, next_attempt_at FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending'
       ORDER BY next_attempt_at LIMIT ${MESSAGES_MAX}`,
    )
    .bind(webhook_id)
    .all<Waiting>()
  return results
}
