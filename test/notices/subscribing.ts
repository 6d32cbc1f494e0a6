import { shardOf } from '../../src/platform/database/shards.ts'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { NewEvent, SharedEvent } from '../../src/notices/events/event-types.ts'
import { insertSharedEvents, insertSweptEvents } from '../../src/notices/events/events.ts'
import { beginAttempt } from '../../src/notices/delivery/attempt.ts'
import { fanOut } from '../../src/notices/delivery/fan-out.ts'
import { newAccount } from '../support/account.ts'
import { type Behaviour, type Received, RECEIVER_DOMAIN } from '../support/receiver-server.ts'
import { call } from '../support/service.ts'

export const SYNCED: SharedEvent = {
  type: 'sync.completed',
  data: { region: 'AU', records_updated: 1, duration_ms: 5 },
}

export type Subscription = { key: string; account_id: string; id: string; secret: string; host: string }

/** A webhook of an account of its own, with a receiver that answers as told. */
export async function subscribe(
  events: readonly string[] = ['*'],
  behaviour: readonly Behaviour[] = [{}],
): Promise<Subscription> {
  const { key, account_id } = await newAccount()
  const host = `r-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, behaviour)
  const { status, body, text } = await call('POST', '/v1/webhooks', {
    key,
    body: { url: `https://${host}/tax`, events },
  })
  expect(status, text).toBe(201)
  return { key, account_id, id: String(body['id']), secret: String(body['secret']), host }
}

export async function behave(host: string, behaviour: readonly Behaviour[]): Promise<void> {
  await fetch(`https://${host}/`, { method: 'PUT', body: JSON.stringify(behaviour) })
}

/** What a receiver was sent, in order. */
export async function letters(host: string): Promise<Received[]> {
  const response = await fetch(`https://${host}/`)
  return response.json()
}

/** Puts an event into the outbox and tells its subscribers. Returns its id. */
export async function happen(event: NewEvent, now: Date): Promise<string> {
  await env.DB.batch(
    'account_id' in event
      ? insertSweptEvents(env.DB, [event], now)
      : insertSharedEvents(env.DB, [event], now),
  )
  const row = await env.DB.prepare(
    'SELECT id FROM events WHERE fanned_out_at IS NULL OR account_pending = 1 ORDER BY id DESC',
  ).first<{ id: string }>()
  await fanOut(env, shardOf(env, 0), String(row?.id), now)
  return String(row?.id)
}

type DeliveryRow = {
  id: string
  status: string
  attempts: number
  next_attempt_at: string
  leased_until: string | null
}

export async function deliveriesOf(webhook_id: string): Promise<DeliveryRow[]> {
  const { results } = await env.DB.prepare(
    'SELECT id, status, attempts, next_attempt_at, leased_until FROM webhook_deliveries WHERE webhook_id = ? ORDER BY id',
  )
    .bind(webhook_id)
    .all<DeliveryRow>()
  return results
}

export async function attempt(id: string, at: Date): Promise<void> {
  await (
    await beginAttempt(env, shardOf(env, 0), id, () => at)
  )?.ended
}

export async function webhookOf({ key, id }: Subscription): Promise<Record<string, unknown>> {
  return (await call('GET', `/v1/webhooks/${id}`, { key })).body
}

/** The signature as a receiver computes it. */
export async function signed(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
