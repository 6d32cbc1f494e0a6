import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { commit } from '../../platform/writes/commit.ts'
import { firstIdAt } from '../../platform/database/ids.ts'
import { ownShard } from '../../platform/database/shards.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import {
  deliveriesOf,
  endPause,
  isPaused,
  makeEndedDue,
  readEvents,
  readMissed,
  readPutOff,
  RECOVERED_MAX,
} from './missed-events-store.ts'
import { quotaOf } from '../../platform/quotas.ts'
import { countDeliveries, withinDeliveries } from '../delivery/delivery-count-store.ts'
import type { EventsAnswer, EventsQuery, RecoverAnswer, RecoverBody } from './schemas.ts'
import { sendDeliveryMessages } from '../delivery/send-messages.ts'
import { readWebhook } from './store.ts'

const KEPT_MS = 30 * 86_400_000

/** The events of the last 30 days that concern the account, the oldest first. Throws invalid_request. */
export async function listEvents(
  context: Context,
  { type, after, limit = 50 }: z.output<typeof EventsQuery>,
): Promise<Answer<typeof EventsAnswer>> {
  const oldest = firstIdAt('evt', new Date(context.now.getTime() - KEPT_MS))
  const from = after === undefined ? oldest : idAfter(after)
  const found = await readEvents(context, { type, after: from > oldest ? from : oldest, limit: limit + 1 })
  const shown = found.slice(0, limit).map((row) => ({ ...row, data: JSON.parse(row.data) }))
  return { events: shown, limit, has_more: found.length > limit, next_after: shown.at(-1)?.id ?? null }
}

/** `after` is the id of an event or a timestamp. */
function idAfter(after: string): string {
  if (after.startsWith('evt_')) return after
  const moment = new Date(after)
  if (Number.isNaN(moment.getTime()))
    throw fieldError('invalid_request', 'after', 'must be the id of an event or a timestamp')
  return firstIdAt('evt', moment)
}

/**
 * Sends the events since a moment that a webhook has missed: those that it never got, and those whose
 * deliveries wait, failed or expired. It ends a pause. At most 500 at once. Throws not_found,
 * webhook_disabled, invalid_request, quota_exceeded.
 */
export async function recoverEvents(
  context: Context,
  webhook_id: string,
  { since }: RecoverBody,
): Promise<Answer<typeof RecoverAnswer>> {
  const { env, now, books, principal } = context
  const day = dayOf(now)
  const webhook = await readWebhook(context, webhook_id)
  if (webhook.status === 'disabled') throw new ApiError('webhook_disabled')
  if (Date.parse(since) < now.getTime() - KEPT_MS)
    throw fieldError('invalid_request', 'since', 'must be at most 30 days ago')
  const { missed, ended } = await readMissed(context, webhook, firstIdAt('evt', new Date(since)))
  const { statements, deliveries } = deliveriesOf(context, webhook_id, missed)
  const waiting = [...deliveries, ...ended.map((id) => ({ id, next_attempt_at: now.toISOString() }))]
  const has_more = missed.length === RECOVERED_MAX || ended.length === RECOVERED_MAX
  const answer = { webhook_id, since, recovered: waiting.length, has_more }
  await commit(context, {
    changes: [
      ...statements,
      countDeliveries(
        books,
        deliveries.map(({ id }) => id),
        day,
      ),
      withinDeliveries(books, principal.account_id, day, quotaOf(env, principal.tier, 'deliveries_a_day')),
      makeEndedDue(context, webhook_id, ended),
      endPause(context, webhook_id),
    ],
    audit: { action: 'webhook.recovered', resource_id: webhook_id, changed: [] },
    answer,
  })
  await sendDeliveryMessages(env, ownShard(context), waiting, now)
  return answer
}

/**
 * Sends what waits for a later attempt or for the end of a pause, because the receiver has just answered. At
 * most 500 at once. Returns how many.
 */
export async function sendPutOff(
  context: Context,
  webhook: Parameters<typeof readPutOff>[1],
): Promise<number> {
  const { env, now } = context
  const ids = await readPutOff(context, webhook)
  if (ids.length === 0 && !isPaused(webhook, now)) return 0
  await commit(context, {
    changes: [makeEndedDue(context, webhook.id, ids), endPause(context, webhook.id)],
    audit: { action: 'webhook.recovered', resource_id: webhook.id, changed: [] },
    answer: {},
  })
  const next_attempt_at = now.toISOString()
  await sendDeliveryMessages(
    env,
    ownShard(context),
    ids.map((id) => ({ id, next_attempt_at })),
    now,
  )
  return ids.length
}
