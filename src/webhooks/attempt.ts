import type { Bindings } from '../bindings.ts'
import { readAgainOnChange } from '../database/read-again.ts'
import { afterFailure, retryDelays } from './delivery-policy.ts'
import {
  leaseDelivery,
  type LeasedDelivery,
  readNext,
  readWebhookState,
  recordFailure,
  recordSuccess,
} from './attempt-store.ts'
import { type PostOutcome, postEvent } from './post.ts'
import { decryptSecret } from './secrets.ts'
import { readTarget, resolvesToPrivate } from './target.ts'
import { sendWakeUps } from './wake-ups.ts'

/** The body of an event, the same bytes at every attempt. */
export function bodyOf({
  type,
  data,
  occurred_at,
}: Pick<LeasedDelivery, 'type' | 'data' | 'occurred_at'>): string {
  return JSON.stringify({ event: type, timestamp: occurred_at, data: JSON.parse(data) })
}

/**
 * Begins one attempt at a delivery, if it is due; null if not. When this returns, the database knows of the
 * attempt, and `ended` is when it has been made and what comes next is seen to. `clock` is read again after
 * the answer.
 */
export async function beginAttempt(
  env: Bindings,
  id: string,
  clock: () => Date,
): Promise<{ ended: Promise<void> } | null> {
  const delivery = await leaseDelivery(env.DB, id, clock())
  return delivery === null ? null : { ended: makeAttempt(env, delivery, clock) }
}

async function makeAttempt(env: Bindings, delivery: LeasedDelivery, clock: () => Date): Promise<void> {
  const outcome = await post(env, delivery, clock())
  const now = clock()
  if (outcome.ok) {
    await recordSuccess(env.DB, delivery, outcome, now)
  } else {
    const next_attempt_at = await decideAfterFailure(env, delivery, outcome, now)
    if (next_attempt_at !== null) await sendWakeUps(env, [{ id: delivery.id, next_attempt_at }], now)
  }
  logAttempt(delivery, outcome)
  await wakeNext(env, delivery.webhook_id, now)
}

/**
 * Decides what follows from a failure and records both. By what was read with the lease first; if another
 * attempt at the same webhook ended meanwhile, it reads and decides anew. Returns when to wake the delivery
 * again; null if not.
 */
async function decideAfterFailure(
  env: Bindings,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  now: Date,
): Promise<string | null> {
  let leased: LeasedDelivery['webhook'] | null = delivery.webhook
  return readAgainOnChange(async () => {
    const before = leased ?? (await readWebhookState(env.DB, delivery))
    leased = null
    // A webhook that was deleted took its deliveries with it.
    if (before === null) return null
    const after = afterFailure(before, delivery.attempts, now, retryDelays(env))
    await recordFailure(env.DB, delivery, outcome, { before, after }, now)
    return after.wake_at
  })
}

/**
 * The address is read again at each attempt: what it resolves to may have changed since it was registered.
 */
async function post(env: Bindings, delivery: LeasedDelivery, now: Date): Promise<PostOutcome> {
  const { webhook_id, event_id, attempts, url } = delivery
  const refused = { ok: false, response_status: null, error: 'connection_failed', duration_ms: 0 }
  if (!readTarget(env, url).ok || (await resolvesToPrivate(env, url))) return refused
  const secret = await decryptSecret(env.ENCRYPTION_KEY, webhook_id, delivery.secret)
  return postEvent({ url, secret, event_id, attempt: attempts, body: bodyOf(delivery) }, now)
}

/** Deliveries whose messages came while others were under way have none left: whoever ends wakes the next. */
async function wakeNext(env: Bindings, webhook_id: string, now: Date): Promise<void> {
  const ids = await readNext(env.DB, webhook_id, now)
  await sendWakeUps(
    env,
    ids.map((id) => ({ id, next_attempt_at: now.toISOString() })),
    now,
  )
}

function logAttempt(
  { id, webhook_id, event_id, attempts }: LeasedDelivery,
  { response_status, error, duration_ms }: PostOutcome,
): void {
  console.log(
    JSON.stringify({
      level: 'info',
      delivery_id: id,
      webhook_id,
      event_id,
      attempt: attempts,
      response_status,
      error,
      duration_ms,
    }),
  )
}
