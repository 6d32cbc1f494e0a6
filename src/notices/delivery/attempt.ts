/**
 * How a delivery is sent. Its row is `pending`, and ends as `succeeded`, `failed` or `expired`; the account
 * can make it pending again. Messages of the queue only wake the row, so one that is lost, doubled or early
 * does no harm.
 *
 * - Lease: `leaseDelivery` begins an attempt in one statement. It sets `leased_until` to 60 s from now, adds
 *   1 to `leases`, and refuses a row that is leased or not due. An attempt takes at most 10 s and a few
 *   writes.
 * - Fence: an attempt writes only while the row is pending and `leases` is still its number (`HELD`). If its
 *   lease was taken over, it writes nothing, however late it ends.
 * - Burst: a webhook has at most five leased deliveries, and one after a failure (`ACCEPTS_ANOTHER`). Each
 *   attempt that ends wakes the next ones. Failures of attempts that overlap count once (`afterFailure`).
 * - Host: all accounts of a tier together have so many POSTs a minute to one host (`mayPost`). A delivery
 *   beyond them gives its lease back and waits some minutes. That is no attempt and no failure.
 * - Pause: a counted failure sets `paused_until`, and the fifth in a row disables the webhook. An attempt
 *   replaces exactly the state that it has read, else it reads and decides again. A success ends the pause.
 *   Only the account enables a disabled webhook. Its deliveries stay pending, and expire after three days.
 * - Challenge: while the host of a webhook has not confirmed, the delivery of its challenge is the only one
 *   that gets a lease (`confirmed`). The record of its success ends the wait (challenge.ts).
 *
 * A crash before the lease leaves a due row. A crash after it leaves a lease that ends: the receiver may get
 * the event twice, with one id. A crash after the record leaves due rows without messages. In each case the
 * sweep wakes rows that are overdue by a minute. A row that lost 20 leases gets no attempt and ends as
 * failed.
 */
import type { Bindings } from '../../platform/bindings.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { readAgainOnChange } from '../../platform/database/read-again.ts'
import { expectedAnswer } from './challenge-event.ts'
import { afterFailure, retryDelays } from './delivery-policy.ts'
import {
  leaseDelivery,
  type LeasedDelivery,
  putOffDelivery,
  readWebhookState,
  recordFailure,
  recordSuccess,
} from './attempt-store.ts'
import { afterHostLimit, mayPost } from './host-limit.ts'
import { NOT_SENT, type PostOutcome, postEvent } from './post.ts'
import { openSecret } from './kept-keys.ts'
import { readTarget, resolvesToPrivate } from './target.ts'
import { sendDeliveryMessages } from './send-messages.ts'

/** The body of an event. Every attempt sends the same bytes. */
export function eventBody({
  event_id,
  type,
  data,
  occurred_at,
}: Pick<LeasedDelivery, 'event_id' | 'type' | 'data' | 'occurred_at'>): string {
  return JSON.stringify({ id: event_id, event: type, timestamp: occurred_at, data: JSON.parse(data) })
}

/**
 * Begins one attempt at a delivery if it is due; else returns null. On return the delivery is leased.
 * `ended` resolves when the attempt is recorded and the next one is scheduled. `clock` is read again after
 * the answer.
 */
export async function beginAttempt(
  env: Bindings,
  shard: Shard,
  id: string,
  clock: () => Date,
): Promise<{ ended: Promise<void> } | null> {
  const began = clock()
  const delivery = await leaseDelivery(shard.books, id, began)
  if (delivery === null) return null
  const allowed = await mayPost(env, delivery, began)
  return {
    ended: allowed ? makeAttempt(env, shard, delivery, began, clock) : putOff(env, shard, delivery, began),
  }
}

/** Lets a delivery wait whose host gets too many. It is no attempt, and no failure of its webhook. */
async function putOff(env: Bindings, shard: Shard, delivery: LeasedDelivery, now: Date): Promise<void> {
  const next_attempt_at = afterHostLimit(now, Math.random())
  await putOffDelivery(shard.books, delivery, next_attempt_at, now)
  await sendDeliveryMessages(env, shard, [{ id: delivery.id, next_attempt_at }], now)
}

async function makeAttempt(
  env: Bindings,
  shard: Shard,
  delivery: LeasedDelivery,
  began: Date,
  clock: () => Date,
): Promise<void> {
  const outcome = await postDelivery(env, delivery, began)
  const now = clock()
  const next = outcome.ok
    ? await recordSuccess(shard.books, delivery, outcome, now)
    : await decideAfterFailure(env, shard, delivery, outcome, { began, ended: now })
  logAttempt(delivery, outcome)
  await wakeNext(env, shard, next, now)
}

/**
 * Decides and records the consequences of a failure, and wakes the delivery for its next attempt. It first
 * uses the state that was read with the lease. If another attempt at the same webhook ended meanwhile, it
 * reads the state again and decides again. Returns the deliveries that the webhook can get next.
 */
async function decideAfterFailure(
  env: Bindings,
  shard: Shard,
  delivery: LeasedDelivery,
  outcome: PostOutcome,
  times: { began: Date; ended: Date },
): Promise<string[]> {
  const { attempt, id } = delivery
  const now = times.ended
  const failed = { ...times, attempt, retry_after_s: outcome.retry_after_s, chance: Math.random() }
  let leased: LeasedDelivery['webhook'] | null = delivery.webhook
  return readAgainOnChange(async () => {
    const before = leased ?? (await readWebhookState(shard.books, delivery))
    leased = null
    // The webhook was deleted with its deliveries, or another attempt took the lease over.
    if (before === null) return []
    const after = afterFailure(before, failed, retryDelays(env))
    const next = await recordFailure(env, shard, delivery, outcome, { before, after }, now)
    if (after.wake_at !== null)
      await sendDeliveryMessages(env, shard, [{ id, next_attempt_at: after.wake_at }], now)
    return next
  })
}

/**
 * Sends the event, after it has checked the address again: its DNS record may have changed since the webhook
 * was registered.
 */
async function postDelivery(env: Bindings, delivery: LeasedDelivery, now: Date): Promise<PostOutcome> {
  const { webhook_id, event_id, attempt, url } = delivery
  if (!readTarget(env, url).ok || (await resolvesToPrivate(env, url))) return NOT_SENT
  const secrets = await openSecrets(env, webhook_id, delivery, now)
  const expected = expectedAnswer(delivery)
  return postEvent({ url, ...secrets, event_id, attempt, body: eventBody(delivery), expected }, now)
}

/** Decrypts the secret of a webhook, and the secret before it while a rotation overlaps. */
export async function openSecrets(
  env: Bindings,
  webhook_id: string,
  stored: Pick<LeasedDelivery, 'secret' | 'previous_secret' | 'previous_secret_until'>,
  now: Date,
): Promise<{ secret: string; previous_secret: string | null }> {
  const { previous_secret: previous, previous_secret_until: until } = stored
  const overlaps = previous !== null && until !== null && until > now.toISOString()
  return {
    secret: await openSecret(env, webhook_id, stored.secret),
    previous_secret: overlaps ? await openSecret(env, webhook_id, previous) : null,
  }
}

/**
 * Wakes the next deliveries of the webhook. If their messages came while others were under way, they have no
 * message left.
 */
async function wakeNext(env: Bindings, shard: Shard, ids: readonly string[], now: Date): Promise<void> {
  await sendDeliveryMessages(
    env,
    shard,
    ids.map((id) => ({ id, next_attempt_at: now.toISOString() })),
    now,
  )
}

function logAttempt(
  { id, webhook_id, event_id, attempt }: LeasedDelivery,
  { response_status, error, duration_ms }: PostOutcome,
): void {
  console.log(
    JSON.stringify({
      level: 'info',
      delivery_id: id,
      webhook_id,
      event_id,
      attempt,
      response_status,
      error,
      duration_ms,
    }),
  )
}
