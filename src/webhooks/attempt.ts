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
import { sendDeliveryMessages } from './send-messages.ts'

/** The body of an event. Every attempt sends the same bytes. */
export function eventBody({
  type,
  data,
  occurred_at,
}: Pick<LeasedDelivery, 'type' | 'data' | 'occurred_at'>): string {
  return JSON.stringify({ event: type, timestamp: occurred_at, data: JSON.parse(data) })
}

/**
 * Begins one attempt at a delivery if it is due; else returns null. On return the attempt is recorded;
 * `ended` resolves when it has finished and the next one is scheduled. `clock` is read again after the
 * answer.
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
  const outcome = await postDelivery(env, delivery, clock())
  const now = clock()
  if (outcome.ok) {
    await recordSuccess(env.DB, delivery, outcome, now)
  } else {
    const next_attempt_at = await decideAfterFailure(env, delivery, outcome, now)
    if (next_attempt_at !== null) await sendDeliveryMessages(env, [{ id: delivery.id, next_attempt_at }], now)
  }
  logAttempt(delivery, outcome)
  await wakeNext(env, delivery.webhook_id, now)
}

/**
 * Decides and records the consequences of a failure. It first uses the state that was read with the lease. If
 * another attempt at the same webhook ended meanwhile, it reads the state again and decides again. Returns
 * when to wake the delivery again, or null.
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
    // If the webhook was deleted, its deliveries were deleted too.
    if (before === null) return null
    const after = afterFailure(before, delivery.attempts, now, retryDelays(env))
    await recordFailure(env.DB, delivery, outcome, { before, after }, now)
    return after.wake_at
  })
}

/**
 * Sends the event, after it has checked the address again: its DNS record may have changed since the webhook
 * was registered.
 */
async function postDelivery(env: Bindings, delivery: LeasedDelivery, now: Date): Promise<PostOutcome> {
  const { webhook_id, event_id, attempts, url } = delivery
  const refused = { ok: false, response_status: null, error: 'connection_failed', duration_ms: 0 }
  if (!readTarget(env, url).ok || (await resolvesToPrivate(env, url))) return refused
  const secret = await decryptSecret(env.ENCRYPTION_KEY, webhook_id, delivery.secret)
  return postEvent({ url, secret, event_id, attempt: attempts, body: eventBody(delivery) }, now)
}

/**
 * Wakes the next deliveries of the webhook. If their messages came while others were under way, they have no
 * message left.
 */
async function wakeNext(env: Bindings, webhook_id: string, now: Date): Promise<void> {
  const ids = await readNext(env.DB, webhook_id, now)
  await sendDeliveryMessages(
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
