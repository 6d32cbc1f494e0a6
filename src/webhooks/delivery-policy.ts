/**
 * Seconds before each further attempt at a delivery, and how long its webhook pauses after as many failures
 * in a row (specification, section 6.4).
 */
export const RETRY_DELAYS_S: readonly number[] = [60, 300, 1_800, 7_200, 86_400]

/** After so many failures in a row a webhook is disabled (specification, section 6.4). */
export const FAILURES_MAX = 5

/**
 * Deliveries of one webhook that may be under way at once; after a failure one alone, so that a receiver that
 * is down meets one probe at a time (docs/webhooks.md).
 */
export const IN_FLIGHT_MAX = 5

/** An attempt ends after 10 s (post.ts), so the worker whose lease has run out has died. */
export const LEASE_MS = 60_000

/** What a disabled webhook missed is sent when it is enabled again, if it is no older (docs/webhooks.md). */
export const HELD_MS = 3 * 86_400_000

/** What decides whether a webhook is sent anything. Moments in ISO 8601. */
export type WebhookState = {
  status: 'active' | 'disabled'
  consecutive_failures: number
  paused_until: string | null
  last_failed_at: string | null
}

/** `wake_at`: when the delivery is to be tried again; null: never, or not while the webhook is disabled. */
export type AfterFailure = {
  delivery: { status: 'pending' | 'failed'; next_attempt_at: string }
  webhook: WebhookState
  wake_at: string | null
}

/**
 * What follows when attempt number `attempts` at a delivery has failed at `now`. The delivery waits as long
 * as the schedule says, or has failed for good after its last attempt. The webhook pauses as long as the
 * schedule says for its failures in a row, and the fifth of them disables it. A webhook that was disabled
 * meanwhile counts no failure. Pure.
 */
export function afterFailure(
  webhook: WebhookState,
  attempts: number,
  now: Date,
  delays: readonly number[] = RETRY_DELAYS_S,
): AfterFailure {
  const delay = delays[attempts - 1]
  const next_attempt_at = later(now, delay ?? 0)
  const delivery = { status: delay === undefined ? 'failed' : 'pending', next_attempt_at } as const
  if (webhook.status === 'disabled') return { delivery, webhook, wake_at: null }
  const consecutive_failures = webhook.consecutive_failures + 1
  const status = consecutive_failures >= FAILURES_MAX ? 'disabled' : 'active'
  const pause = delays[webhook.consecutive_failures]
  const paused_until = pause === undefined ? null : later(now, pause)
  const ended = delivery.status === 'failed' || status === 'disabled'
  return {
    delivery,
    webhook: { status, consecutive_failures, paused_until, last_failed_at: now.toISOString() },
    wake_at: ended ? null : latest(next_attempt_at, paused_until),
  }
}

/**
 * The retry schedule: RETRY_DELAYS_S, or five numbers of seconds in WEBHOOK_RETRY_DELAYS in its place, so
 * that drills need not wait for a day.
 */
export function retryDelays({ WEBHOOK_RETRY_DELAYS }: { WEBHOOK_RETRY_DELAYS?: string }): readonly number[] {
  const given = (WEBHOOK_RETRY_DELAYS ?? '').split(',').map(Number)
  const usable =
    given.length === RETRY_DELAYS_S.length &&
    given.every((seconds) => Number.isFinite(seconds) && seconds >= 0)
  return WEBHOOK_RETRY_DELAYS && usable ? given : RETRY_DELAYS_S
}

function later(at: Date, seconds: number): string {
  return new Date(at.getTime() + seconds * 1_000).toISOString()
}

function latest(moment: string, other: string | null): string {
  return other !== null && other > moment ? other : moment
}
