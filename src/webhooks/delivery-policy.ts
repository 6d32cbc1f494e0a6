/**
 * Seconds before each further attempt at a delivery. Also how long its webhook pauses after the same number
 * of failures in a row (specification, section 6.4).
 */
export const RETRY_DELAYS_S: readonly number[] = [60, 300, 1_800, 7_200, 86_400]

/** After this many failures in a row a webhook is disabled (specification, section 6.4). */
export const FAILURES_MAX = 5

/**
 * The most deliveries of one webhook that are under way at once. After a failure it is one, so that a
 * receiver that is down gets one probe at a time (docs/webhooks.md).
 */
export const IN_FLIGHT_MAX = 5

/** An attempt ends after 10 s (post.ts), so if its lease expires, its worker has died. */
export const LEASE_MS = 60_000

/** When a webhook is enabled again, it gets the events that it missed, up to this age (docs/webhooks.md). */
export const HELD_MS = 3 * 86_400_000

/** The state of a webhook that decides whether it gets deliveries. Moments are in ISO 8601. */
export type WebhookState = {
  status: 'active' | 'disabled'
  consecutive_failures: number
  paused_until: string | null
  last_failed_at: string | null
}

/** `wake_at`: when to try the delivery again; null: never, or not while the webhook is disabled. */
export type AfterFailure = {
  delivery: { status: 'pending' | 'failed'; next_attempt_at: string }
  webhook: WebhookState
  wake_at: string | null
}

/**
 * The consequences of the failure of attempt number `attempts` at `now`. The delivery waits as long as the
 * schedule says; after its last attempt it has failed. The webhook pauses as long as the schedule says for
 * its failures in a row. The fifth failure in a row disables it. A webhook that was disabled meanwhile counts
 * no failure. Pure.
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
 * The retry schedule: RETRY_DELAYS_S, or the five numbers of seconds in WEBHOOK_RETRY_DELAYS, so that drills
 * need not wait for a day.
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
