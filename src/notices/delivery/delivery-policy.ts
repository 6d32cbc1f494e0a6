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

/** The longest wait that a receiver can ask for with Retry-After. */
export const RETRY_AFTER_MAX_S = 86_400

/** A delivery that lost so many leases has no further attempt: its attempts never come to an end. */
export const LOST_LEASES_MAX = 20

/** Deliveries that wait behind a failure come up to so much of their delay later, so that they are spread. */
const SPREAD = 0.1

/**
 * The state of a webhook that decides whether it gets deliveries. Moments are in ISO 8601.
 * `failure_counted_at`: when the last failure that counted ended.
 */
export type WebhookState = {
  status: 'active' | 'disabled'
  consecutive_failures: number
  paused_until: string | null
  last_failed_at: string | null
  failure_counted_at: string | null
}

/**
 * A failed attempt: its number, when it began and ended, and the seconds of Retry-After, if the receiver sent
 * it. `chance` is a random number from 0 to 1.
 */
export type FailedAttempt = {
  attempt: number
  began: Date
  ended: Date
  retry_after_s: number | null
  chance: number
}

/** `wake_at`: when to try the delivery again; null: never, or not while the webhook is disabled. */
export type AfterFailure = {
  delivery: { status: 'pending' | 'failed'; next_attempt_at: string }
  webhook: WebhookState
  wake_at: string | null
}

/**
 * The consequences of a failed attempt. The delivery waits as long as the schedule says, or longer if the
 * receiver asks for it; after its last attempt it has failed. A failure counts if its attempt began after the
 * last counted failure ended, so attempts at the same time are one failure. If it counts, the webhook pauses
 * as long as the schedule says for its failures in a row, and the fifth disables it. If it does not count,
 * its delivery waits behind the one that does: it comes a little later, never earlier. A webhook that was
 * disabled meanwhile counts no failure. Pure.
 */
export function afterFailure(
  webhook: WebhookState,
  { attempt, began, ended, retry_after_s, chance }: FailedAttempt,
  delays: readonly number[] = RETRY_DELAYS_S,
): AfterFailure {
  const counts =
    webhook.status === 'active' &&
    (webhook.failure_counted_at === null || began.toISOString() > webhook.failure_counted_at)
  const behind = webhook.status === 'active' && !counts
  const delay = delays[attempt - 1]
  const wait = Math.max((delay ?? 0) * (behind ? 1 + SPREAD * chance : 1), retry_after_s ?? 0)
  const next_attempt_at = later(ended, delay === undefined ? 0 : wait)
  const delivery = { status: delay === undefined ? 'failed' : 'pending', next_attempt_at } as const
  if (webhook.status === 'disabled') return { delivery, webhook, wake_at: null }
  const after = counts
    ? countFailure(webhook, ended, retry_after_s, delays)
    : { ...webhook, last_failed_at: ended.toISOString() }
  const over = delivery.status === 'failed' || after.status === 'disabled'
  return { delivery, webhook: after, wake_at: over ? null : latest(next_attempt_at, after.paused_until) }
}

function countFailure(
  { consecutive_failures }: WebhookState,
  ended: Date,
  retry_after_s: number | null,
  delays: readonly number[],
): WebhookState {
  const failures = consecutive_failures + 1
  const pause = delays[consecutive_failures]
  return {
    status: failures >= FAILURES_MAX ? 'disabled' : 'active',
    consecutive_failures: failures,
    paused_until: pause === undefined ? null : later(ended, Math.max(pause, retry_after_s ?? 0)),
    last_failed_at: ended.toISOString(),
    failure_counted_at: ended.toISOString(),
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
