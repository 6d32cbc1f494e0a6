import type { Context } from '../../platform/context.ts'
import { type HashedFields, valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { ownShard } from '../../platform/database/shards.ts'
import { withinCount } from '../../platform/writes/usage.ts'
import { refuseEndedKey } from '../../platform/writes/valid-key.ts'
import { fieldError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { pageOf } from '../../platform/http/page.ts'
import { HELD_MS } from '../delivery/delivery-policy.ts'
import { readWaiting } from '../delivery/attempt-store.ts'
import type {
  NewWebhookBody,
  RotateSecretBody,
  WebhookUpdateBody,
  ListedWebhook,
  NewWebhookAnswer,
  RotatedSecretAnswer,
  WebhookAnswer,
  WebhooksAnswer,
} from './schemas.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { encryptSecret, newSecret } from '../delivery/secrets.ts'
import {
  changeWebhook,
  expireDeliveries,
  insertWebhook,
  readTroubledWebhooks,
  readWebhook,
  readWebhooks,
  removeWebhook,
  replaceSecret,
  type WebhookRow,
  withinAddress,
} from './store.ts'
import { challengeFor } from './challenge.ts'
import { removeChallenge } from './challenge-store.ts'
import { readTarget, refusalOfHost } from '../delivery/target.ts'
import { sendDeliveryMessages } from '../delivery/send-messages.ts'

/**
 * Subscribes a URL to events, and asks a new host to confirm. The secret is shown once. Throws
 * invalid_api_key if the key has ended.
 */
export async function createWebhook(
  context: Context,
  body: NewWebhookBody,
): Promise<Answer<typeof NewWebhookAnswer>> {
  await refuseEndedKey(context)
  const id = newId('wh')
  const secret = newSecret()
  const url = await allowedUrl(context, body.url)
  const challenge = await challengeFor(context, id, url)
  const row = newWebhookRow(context, id, {
    url,
    events: body.events,
    description: body.description ?? null,
    secret: await encryptSecret(context.env, id, secret),
    challenge_id: challenge?.delivery_id ?? null,
  })
  await commit(context, {
    changes: [
      insertWebhook(context, row),
      withinCount(context, 'webhooks'),
      withinAddress(context, row.url),
      ...(challenge?.statements ?? []),
    ],
    audit: {
      action: 'webhook.created',
      resource_id: id,
      changed: Object.keys(body),
      values: await valuesOf(null, audited(row), hashedUrl(id)),
    },
    answer: { ...presentWebhook(row), secret: null },
  })
  if (challenge !== null) await wake(context, id)
  return { ...presentWebhook(row), secret }
}

type NewWebhook = Pick<WebhookRow, 'url' | 'description' | 'secret' | 'challenge_id'> & {
  events: readonly string[]
}

/** A webhook that was not sent anything yet. */
export function newWebhookRow({ now }: Context, id: string, { events, ...given }: NewWebhook): WebhookRow {
  return {
    id,
    ...given,
    events: JSON.stringify(events),
    status: 'active',
    consecutive_failures: 0,
    paused_until: null,
    last_failed_at: null,
    last_succeeded_at: null,
    failure_counted_at: null,
    previous_secret: null,
    previous_secret_until: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
}

/** The webhooks of the account, without the fields that the specification omits from lists. */
export async function listWebhooks(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof WebhooksAnswer>> {
  const { rows, total } = await readWebhooks(context, limit, offset)
  return { webhooks: rows.map(presentListed), ...pageOf(total, limit, offset) }
}

/** The webhooks that are disabled or fail: how many, and the first of them. */
export async function listTroubledWebhooks(context: Context, limit: number) {
  const { rows, ...counts } = await readTroubledWebhooks(context, limit)
  return { ...counts, troubled: rows.map(presentListed) }
}

export async function getWebhook(context: Context, id: string): Promise<Answer<typeof WebhookAnswer>> {
  return presentWebhook(await readWebhook(context, id))
}

/**
 * Changes a webhook. Two updates at once each change their own fields. If it becomes active, its count of
 * failures is reset, and the events that it missed in the last three days are sent.
 */
export async function updateWebhook(
  context: Context,
  id: string,
  body: WebhookUpdateBody,
): Promise<Answer<typeof WebhookAnswer>> {
  await refuseEndedKey(context)
  const url = body.url === undefined ? undefined : await allowedUrl(context, body.url)
  const enabled = body.status === 'active'
  const held_since = new Date(context.now.getTime() - HELD_MS).toISOString()
  const read = () => readWebhook(context, id)
  await changeRow(context, read, async (before, updated_at) => {
    const challenge = await challengeAfter(context, before, url ?? before.url, enabled)
    const changes = {
      url: url ?? before.url,
      events: body.events === undefined ? before.events : JSON.stringify(body.events),
      status: body.status ?? null,
      description: body.description === undefined ? before.description : body.description,
      challenge_id: challenge.id,
      updated_at,
    }
    await commit(context, {
      changes: [
        ...guarded(context.books, changeWebhook(context, before, changes), 'concurrent_change'),
        withinAddress(context, changes.url),
        ...challenge.statements,
        ...(enabled ? [expireDeliveries(context, id, held_since)] : []),
      ],
      audit: {
        action: 'webhook.updated',
        resource_id: id,
        changed: Object.keys(body),
        values: await valuesOf(
          audited(before),
          audited({ ...before, ...changes, status: body.status ?? before.status }),
          hashedUrl(id),
        ),
      },
      answer: {},
    })
  })
  if (enabled || url !== undefined) await wake(context, id)
  return getWebhook(context, id)
}

/**
 * Which challenge a webhook waits for after an update, and the statements that replace the one before. A new
 * host is asked. A host that has not answered is asked again if the webhook is enabled.
 */
async function challengeAfter(
  context: Context,
  before: WebhookRow,
  url: string,
  enabled: boolean,
): Promise<{ id: string | null; statements: D1PreparedStatement[] }> {
  const moved = new URL(url).origin !== new URL(before.url).origin
  if (!moved && (before.challenge_id === null || !enabled)) return { id: before.challenge_id, statements: [] }
  const challenge = await challengeFor(context, before.id, url)
  return {
    id: challenge?.delivery_id ?? null,
    statements: [...removeChallenge(context, before.challenge_id), ...(challenge?.statements ?? [])],
  }
}

/**
 * Sends a message for each pending delivery of a webhook. The sweep finds those beyond the first page, and
 * all if this fails.
 */
export async function wake(context: Context, id: string): Promise<void> {
  const { env, books, now } = context
  try {
    await sendDeliveryMessages(env, ownShard(context), await readWaiting(books, id), now)
  } catch (thrown) {
    logFault({ webhook_id: id }, thrown)
  }
}

/** Deletes a webhook with its deliveries. A delivery that is under way may still arrive, but no later one. */
export async function deleteWebhook(context: Context, id: string): Promise<Answer<typeof DeletedAnswer>> {
  const { deliveries, webhook } = removeWebhook(context, id)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: [...deliveries, ...guarded(context.books, webhook, 'not_found')],
    audit: {
      action: 'webhook.deleted',
      resource_id: id,
      changed: [],
      values: await valuesOf(audited(await readWebhook(context, id)), null, hashedUrl(id)),
    },
    answer,
  })
  return answer
}

/**
 * Replaces the secret. The old secret signs nothing from now on, not even queued retries. With `grace_hours`
 * it signs beside the new one for so long, in the header of Standard Webhooks. Only one old secret is kept,
 * so a second rotation with `grace_hours` is refused until the promised time of the first has ended. A
 * rotation without it is always possible, and ends all old secrets: it is for a secret that leaked.
 */
export async function rotateSecret(
  context: Context,
  id: string,
  { grace_hours }: RotateSecretBody,
): Promise<Answer<typeof RotatedSecretAnswer>> {
  await refuseEndedKey(context)
  const { previous_secret_until: promised } = await readWebhook(context, id)
  if (grace_hours !== undefined && promised !== null && promised > context.now.toISOString())
    throw fieldError(
      'invalid_request',
      'grace_hours',
      `the secret before the last rotation still signs until ${promised}: wait until then, or leave out ` +
        'grace_hours to end both old secrets at once',
    )
  const secret = newSecret()
  const sealed = await encryptSecret(context.env, id, secret)
  const previous_secret_until =
    grace_hours === undefined ? null : new Date(context.now.getTime() + grace_hours * HOUR_MS).toISOString()
  const answer = { id, secret, previous_secret_until }
  const replaced = replaceSecret(context, id, sealed, { promised, until: previous_secret_until })
  await commit(context, {
    changes: guarded(context.books, replaced, 'concurrent_change'),
    audit: { action: 'webhook.secret_rotated', resource_id: id, changed: ['secret'] },
    answer: { ...answer, secret: null },
  })
  return answer
}

/** The fields that the account decides. */
function audited({ url, events, status, description }: WebhookRow) {
  return { url, events, status, description }
}

/** An address may contain a secret, so the audit log gets its hash. */
function hashedUrl(id: string): HashedFields {
  return { names: new Set(['url']), salt: id }
}

const HOUR_MS = 3_600_000

async function allowedUrl(context: Context, url: string): Promise<string> {
  const target = readTarget(context.env, url)
  if (!target.ok) throw fieldError('invalid_request', 'url', target.why)
  const refusal = await refusalOfHost(context.env, target.url)
  if (refusal !== null) throw fieldError('invalid_request', 'url', refusal)
  return target.url
}

function presentWebhook(row: WebhookRow): Answer<typeof WebhookAnswer> {
  const { id, url, status, description, consecutive_failures, previous_secret_until } = row
  const { challenge_id, last_failed_at, last_succeeded_at, created_at, updated_at } = row
  return {
    id,
    url,
    events: JSON.parse(row.events),
    status,
    confirmed: challenge_id === null,
    description,
    consecutive_failures,
    previous_secret_until,
    last_failed_at,
    last_succeeded_at,
    created_at,
    updated_at,
  }
}

function presentListed(row: WebhookRow): Answer<typeof ListedWebhook> {
  const { last_failed_at: _failed, previous_secret_until: _until, ...shown } = presentWebhook(row)
  return shown
}
