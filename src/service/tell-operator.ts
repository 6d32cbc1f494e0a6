import type { Bindings } from '../platform/bindings.ts'
import { RELEASE } from '../platform/release.ts'
import { readHealth } from '../tax-data/status/health.ts'
import { readStatus } from '../tax-data/status/status.ts'
import { readTarget, resolvesToPrivate } from '../notices/delivery/target.ts'

const KEY = 'operations:told'
const TIMEOUT_MS = 10_000

/** What was told last, for the time in which KV does not answer. */
let told: string | null = null

/**
 * Tells `ALARM_URL` what an operator has to look at, once for each change: that `/health` is below healthy,
 * an alarm, a stale region, a database that is 80 % full, and that all is well again. What was not received
 * is told by the next tick. The address is refused as one of a webhook is.
 */
export async function tellOperator(env: Bindings, now: Date): Promise<void> {
  const { ALARM_URL: url, ENVIRONMENT = 'production' } = env
  if (url === undefined) return
  const { status, troubles, words } = await troublesOf(env, now)
  const state = JSON.stringify([status, ...troubles])
  const before = await env.KV.get(KEY).catch(() => told)
  if (state === (before ?? JSON.stringify(['healthy']))) return
  const text = [`Tax Compliance Service (${ENVIRONMENT}) is ${status}`, ...words].join('\n')
  // Slack reads `text`, Discord `content`.
  await post(env, url, { text, content: text, status, troubles, environment: ENVIRONMENT, release: RELEASE })
  told = state
  await env.KV.put(KEY, state)
}

/** The names of what is wrong, by which a change is known, and the words for a person. */
async function troublesOf(
  env: Bindings,
  now: Date,
): Promise<{ status: string; troubles: string[]; words: string[] }> {
  const [health, { regions }] = await Promise.all([readHealth(env, now), readStatus(env, now)])
  const { database, kv, operations } = health.checks
  const found = [
    ...[database, kv].filter((check) => check.status !== 'pass'),
    // A tick cannot tell that there are no ticks, and the first one comes before its own measurement.
    ...(operations?.alarms ?? []).filter(
      (alarm) => alarm.status === 'warn' && alarm.name !== 'minutes_since_tick',
    ),
    ...regions
      .filter((region) => region.status === 'stale')
      .map(({ region, last_error }) => ({ name: `stale ${region}`, message: last_error })),
  ]
  return {
    status: health.status === 'unhealthy' ? 'unhealthy' : found.length > 0 ? 'degraded' : 'healthy',
    troubles: found.map(({ name }) => name).toSorted(),
    words: found.map(({ name, message }) => `${name}: ${message ?? 'see /health'}`),
  }
}

async function post(env: Bindings, url: string, body: object): Promise<void> {
  const target = readTarget(env, url)
  if (!target.ok) throw new Error(`ALARM_URL ${target.why}`)
  if (await resolvesToPrivate(env, url)) throw new Error('ALARM_URL must name a host with public addresses')
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`ALARM_URL answers ${response.status}`)
}
