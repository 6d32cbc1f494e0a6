import type * as z from 'zod'
import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { guarded } from '../database/guard.ts'
import { newId } from '../database/ids.ts'
import type { webhook_attempts, webhook_deliveries } from '../database/tables/webhooks.ts'
import { ApiError } from '../errors.ts'
import type { Answer } from '../http/answers.ts'
import { bodyOf } from './attempt.ts'
import { sendWakeUps } from './delivery-store.ts'
import { type Outcome, postEvent } from './post.ts'
import type {
  DeliveriesAnswer,
  DeliveriesQuery,
  Delivery,
  DeliveryAttempt,
  WebhookTestAnswer,
} from './schemas.ts'
import { decryptSecret } from './secrets.ts'
import { readWebhook } from './store.ts'
import { readTarget, resolvesToPrivate } from './target.ts'

type DeliveryRow = Pick<
  typeof webhook_deliveries.$inferSelect,
  'id' | 'webhook_id' | 'event_id' | 'status' | 'next_attempt_at' | 'created_at' | 'updated_at'
> & { event: string }
type AttemptRow = typeof webhook_attempts.$inferSelect

const SELECT = `SELECT delivery.id, webhook_id, event_id, type AS event, status, next_attempt_at, delivery.created_at, updated_at
  FROM webhook_deliveries delivery JOIN events event ON event.id = event_id WHERE account_id = ?1 AND webhook_id = ?2`

/** The deliveries of a webhook with their attempts, newest first. Throws not_found. */
export async function listDeliveries(
  context: Context,
  webhook_id: string,
  query: z.output<typeof DeliveriesQuery>,
): Promise<Answer<typeof DeliveriesAnswer>> {
  const { env, principal } = context
  await readWebhook(context, webhook_id)
  const limit = query.limit ?? 50
  const { results } = await env.DB.prepare(
    `${SELECT} AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR delivery.id < ?4) ORDER BY delivery.id DESC LIMIT ?5`,
  )
    .bind(principal.account_id, webhook_id, query.status ?? null, query.cursor ?? null, limit + 1)
    .all<DeliveryRow>()
  const shown = await withAttempts(context, results.slice(0, limit))
  const more = results.length > limit
  return {
    deliveries: shown,
    limit,
    has_more: more,
    next_cursor: more ? (results[limit - 1]?.id ?? null) : null,
  }
}

/** Sends a delivery once more, as the same event. Throws not_found, webhook_disabled, delivery_pending. */
export async function redeliver(
  context: Context,
  webhook_id: string,
  id: string,
): Promise<Answer<typeof Delivery>> {
  const { env, principal, now } = context
  const webhook = await readWebhook(context, webhook_id)
  const delivery = await readDelivery(context, webhook_id, id)
  if (webhook.status === 'disabled') throw new ApiError('webhook_disabled')
  const at = now.toISOString()
  const again = env.DB.prepare(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ?, updated_at = ?
     WHERE account_id = ? AND webhook_id = ? AND id = ? AND status <> 'pending'`,
  ).bind(at, at, principal.account_id, webhook_id, id)
  const [answer] = await withAttempts(context, [
    { ...delivery, status: 'pending', next_attempt_at: at, updated_at: at },
  ])
  if (answer === undefined) throw new Error('A delivery that was read is not shown')
  await commit(context, {
    changes: guarded(env.DB, again, 'delivery_pending'),
    audit: { action: 'webhook.redelivered', resource_id: webhook_id, changed: [] },
    answer,
  })
  await sendWakeUps(env, [{ id, next_attempt_at: at }], now)
  return answer
}

/**
 * Posts a test event now and tells how it went. It is recorded nowhere, and neither counts as a failure nor
 * ends a row of them.
 */
export async function testWebhook(
  context: Context,
  webhook_id: string,
): Promise<Answer<typeof WebhookTestAnswer>> {
  const { env, now } = context
  const { url, secret } = await readWebhook(context, webhook_id)
  const event_id = newId('evt')
  const data = JSON.stringify({ webhook_id, message: 'This is a test event' })
  const body = bodyOf({ type: 'webhook.test', data, occurred_at: now.toISOString() })
  const outcome: Outcome =
    !readTarget(env, url).ok || (await resolvesToPrivate(env, url))
      ? { ok: false, response_status: null, error: 'connection_failed', duration_ms: 0 }
      : await postEvent(
          {
            url,
            secret: await decryptSecret(env.ENCRYPTION_KEY, webhook_id, secret),
            event_id,
            attempt: 1,
            body,
          },
          now,
        )
  const { ok, response_status, error, duration_ms } = outcome
  return { webhook_id, event_id, success: ok, response_status, error, duration_ms }
}

async function readDelivery(
  { env, principal }: Context,
  webhook_id: string,
  id: string,
): Promise<DeliveryRow> {
  const row = await env.DB.prepare(`${SELECT} AND delivery.id = ?3`)
    .bind(principal.account_id, webhook_id, id)
    .first<DeliveryRow>()
  if (row === null) throw new ApiError('not_found')
  return row
}

async function withAttempts(
  { env }: Context,
  rows: readonly DeliveryRow[],
): Promise<Answer<typeof Delivery>[]> {
  const { results } = await env.DB.prepare(
    `SELECT delivery_id, attempt, attempted_at, response_status, error, duration_ms FROM webhook_attempts
     WHERE delivery_id IN (SELECT value FROM json_each(?)) ORDER BY delivery_id, attempt`,
  )
    .bind(JSON.stringify(rows.map((row) => row.id)))
    .all<AttemptRow>()
  const attemptsOf = Map.groupBy(results, (attempt) => attempt.delivery_id)
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
