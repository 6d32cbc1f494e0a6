import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { ownShard } from '../../platform/database/shards.ts'
import { newId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { eventBody, openSecrets } from '../delivery/attempt.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  makeDeliveryDue,
  readAttempts,
  readDeliveries,
  readDelivery,
  readEventOfDelivery,
} from './delivery-store.ts'
import { challengeEvent, expectedAnswer } from '../delivery/challenge-event.ts'
import { confirmHost } from './challenge-store.ts'
import { mayPost } from '../delivery/host-limit.ts'
import { sendPutOff } from './missed-events.ts'
import { endPause } from './missed-events-store.ts'
import { NOT_SENT, postEvent } from '../delivery/post.ts'
import type {
  DeliveriesAnswer,
  DeliveriesQuery,
  Delivery,
  DeliveryAttempt,
  DeliveryWithPayloadAnswer,
  WebhookTestAnswer,
} from './schemas.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { readWebhook } from './store.ts'
import { readTarget, resolvesToPrivate } from '../delivery/target.ts'
import { sendDeliveryMessages } from '../delivery/send-messages.ts'
import { wake } from './webhooks.ts'

/** The deliveries of a webhook with their attempts, newest first. Throws not_found. */
export async function listDeliveries(
  context: Context,
  webhook_id: string,
  query: z.output<typeof DeliveriesQuery>,
): Promise<Answer<typeof DeliveriesAnswer>> {
  await readWebhook(context, webhook_id)
  const limit = query.limit ?? 50
  const found = await readDeliveries(context, webhook_id, { ...query, limit: limit + 1 })
  const { rows, ...page } = cursorPage(found, limit, ({ id }) => id)
  return { deliveries: await withAttempts(context, rows), ...page }
}

/** A delivery with its attempts and the body that they send. Throws not_found. */
export async function showDelivery(
  context: Context,
  webhook_id: string,
  id: string,
): Promise<Answer<typeof DeliveryWithPayloadAnswer>> {
  const [delivery, event] = await Promise.all([
    readDelivery(context, webhook_id, id),
    readEventOfDelivery(context, webhook_id, id),
  ])
  const [shown] = await withAttempts(context, [delivery])
  return { ...invariant(shown, 'one delivery is shown'), payload: JSON.parse(eventBody(event)) }
}

/**
 * Sends a delivery again, as the same event, or now, if it waits. It ends a pause. Throws not_found,
 * webhook_disabled, delivery_pending.
 */
export async function redeliver(
  context: Context,
  webhook_id: string,
  id: string,
): Promise<Answer<typeof Delivery>> {
  const { env, now } = context
  const webhook = await readWebhook(context, webhook_id)
  const delivery = await readDelivery(context, webhook_id, id)
  if (webhook.status === 'disabled') throw new ApiError('webhook_disabled')
  const at = now.toISOString()
  const [answer] = await withAttempts(context, [
    { ...delivery, status: 'pending', next_attempt_at: at, updated_at: at },
  ])
  if (answer === undefined) throw new Error('The answer lacks the delivery that was read')
  await commit(context, {
    changes: [
      ...guarded(context.books, makeDeliveryDue(context, webhook_id, id), 'delivery_pending'),
      endPause(context, webhook_id),
    ],
    audit: { action: 'webhook.redelivered', resource_id: webhook_id, changed: [] },
    answer,
  })
  await sendDeliveryMessages(env, ownShard(context), [{ id, next_attempt_at: at }], now)
  return answer
}

/**
 * Posts a test event now and returns the outcome. If the host has not confirmed the webhook, it is the
 * challenge, and its answer confirms. The test is not recorded, and does not change the count of failures. If
 * it arrives, what waits for a later attempt is sent now. Throws not_found, rate_limited.
 */
export async function sendTestEvent(
  context: Context,
  webhook_id: string,
): Promise<Answer<typeof WebhookTestAnswer>> {
  const { env, now, principal } = context
  const webhook = await readWebhook(context, webhook_id)
  const { url, challenge_id, ...stored } = webhook
  if (!(await mayPost(env, { account_id: principal.account_id, url }, now)))
    throw new ApiError('rate_limited', { message: 'The host of this webhook gets too many requests: wait' })
  const event_id = newId('evt')
  const event = challenge_id === null ? testEvent(webhook_id) : challengeEvent(webhook_id)
  const body = eventBody({ event_id, ...event, occurred_at: now.toISOString() })
  const sent = readTarget(env, url).ok && !(await resolvesToPrivate(env, url))
  const secrets = await openSecrets(env, webhook_id, stored, now)
  const expected = expectedAnswer(event)
  const outcome = sent
    ? await postEvent({ url, ...secrets, event_id, attempt: 1, body, expected }, now)
    : NOT_SENT
  if (outcome.ok && challenge_id !== null) {
    await confirmHost(context, webhook_id, challenge_id)
    await wake(context, webhook_id)
  }
  const { ok, response_status, error, duration_ms } = outcome
  const wakes = ok && challenge_id === null && webhook.status === 'active'
  const sent_now = wakes ? await sendPutOff(context, webhook) : 0
  return { webhook_id, event_id, success: ok, response_status, error, duration_ms, sent_now }
}

function testEvent(webhook_id: string) {
  return { type: 'webhook.test', data: JSON.stringify({ webhook_id, message: 'This is a test event' }) }
}

async function withAttempts(
  context: Context,
  rows: readonly DeliveryRow[],
): Promise<Answer<typeof Delivery>[]> {
  const attemptsOf = await readAttempts(context, rows)
  return rows.map((row) => ({
    ...row,
    next_attempt_at: row.status === 'pending' ? row.next_attempt_at : null,
    attempts: (attemptsOf.get(row.id) ?? []).map(presentAttempt),
  }))
}

function presentAttempt({
  attempt,
  attempted_at,
  response_status,
  error,
  duration_ms,
}: AttemptRow): Answer<typeof DeliveryAttempt> {
  return { attempt, attempted_at, response_status, error, duration_ms }
}
