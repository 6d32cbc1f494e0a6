import type { Bindings } from '../bindings.ts'
import { HELD_MS } from './delivery-policy.ts'
import { announce, sendWakeUps } from './wake-ups.ts'

/** What is overdue by more has lost its message. */
const GRACE_MS = 60_000
const EVENTS_MAX = 500
const DELIVERIES_MAX = 5_000
const RETENTION_MS = 30 * 86_400_000
const PRUNED_MAX = 5_000

/**
 * Wakes what is due and has no message: lost between batch and queue, past a queue's retention, or purged.
 */
export async function sweepWebhooks(env: Bindings, now: Date): Promise<void> {
  const overdue = new Date(now.getTime() - GRACE_MS).toISOString()
  const [events, deliveries] = await env.DB.batch<{ id: string; next_attempt_at: string }>([
    env.DB.prepare(
      `SELECT id FROM events WHERE fanned_out_at IS NULL AND created_at <= ? ORDER BY id LIMIT ${EVENTS_MAX}`,
    ).bind(overdue),
    env.DB.prepare(
      `SELECT delivery.id, next_attempt_at FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id
       WHERE delivery.status = 'pending' AND next_attempt_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1)
         AND webhook.status = 'active' AND (paused_until IS NULL OR paused_until <= ?1)
       ORDER BY next_attempt_at LIMIT ${DELIVERIES_MAX}`,
    ).bind(overdue),
  ])
  await announce(
    env,
    (events?.results ?? []).map((row) => row.id),
    now,
  )
  await sendWakeUps(env, deliveries?.results ?? [], now)
}

/** Messages for the events that nobody was told of yet: right after what made them. */
export async function announceEvents(env: Bindings, now: Date): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM events WHERE fanned_out_at IS NULL ORDER BY id LIMIT ${EVENTS_MAX}`,
  ).all<{
    id: string
  }>()
  await announce(
    env,
    results.map((row) => row.id),
    now,
  )
}

/**
 * Gives up what was held for more than three days, and deletes deliveries that ended more than 30 days ago,
 * and events that nobody is to be told of any more.
 */
export async function pruneDeliveries(env: Bindings, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS).toISOString()
  const ended = `SELECT id FROM webhook_deliveries WHERE status <> 'pending' AND updated_at < ?1 ORDER BY updated_at LIMIT ${PRUNED_MAX}`
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'expired', updated_at = ?1 WHERE status = 'pending' AND created_at < ?2
         AND webhook_id IN (SELECT id FROM webhooks WHERE status = 'disabled')`,
    ).bind(now.toISOString(), new Date(now.getTime() - HELD_MS).toISOString()),
    env.DB.prepare(`DELETE FROM webhook_attempts WHERE delivery_id IN (${ended})`).bind(before),
    env.DB.prepare(`DELETE FROM webhook_deliveries WHERE id IN (${ended})`).bind(before),
    env.DB.prepare(
      `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE fanned_out_at < ?1
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = events.id) LIMIT ${PRUNED_MAX})`,
    ).bind(before),
  ])
}
