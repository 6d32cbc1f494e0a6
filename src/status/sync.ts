import { COLLECTORS } from '../../collectors/all.ts'
import { runCollector } from '../../collectors/pipeline.ts'
import type { Bindings } from '../bindings.ts'
import { isRegionId, REGION_IDS } from '../regions.ts'
import { announceEvents } from '../webhooks/sweep.ts'
import { forgetStatus } from './status.ts'

const PREFIX = 'sync:'

/**
 * Queues a message for each region that is due, so that each runs in an invocation of its own. A missed tick
 * is made up for by the next.
 */
export async function queueDueSyncs(env: Bindings, now: Date): Promise<void> {
  const { results } = await env.DB.prepare('SELECT region, next_run_at FROM collector_states').all<{
    region: string
    next_run_at: string
  }>()
  const next = new Map(results.map((row) => [row.region, row.next_run_at]))
  for (const region of REGION_IDS)
    if ((next.get(region) ?? '') <= now.toISOString()) await queueSync(env, region)
}

export async function queueSync(env: Bindings, region: string): Promise<void> {
  await env.WEBHOOK_EVENTS.send({ id: `${PREFIX}${region}` })
}

/** The region that a queue message asks to be synchronised; null for a message about something else. */
export function regionOfMessage(id: string): string | null {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null
}

/**
 * Runs the collector of a region now. A second message of the same tick finds it done: it runs again and
 * confirms.
 */
export async function runSync(env: Bindings, region: string, now: Date): Promise<void> {
  const collector = isRegionId(region) ? COLLECTORS[region] : undefined
  if (collector === undefined) return
  const { run } = await runCollector(env, collector, { now, addresses: sourceAddresses(env) })
  forgetStatus()
  await announceEvents(env)
  const { id, outcome, duration_ms, records_seen, records_changed, error } = run
  console.log(
    JSON.stringify({
      level: 'info',
      run_id: id,
      region,
      outcome,
      duration_ms,
      records_seen,
      records_changed,
      error,
    }),
  )
}

/** Variables that replace the addresses of sources: `SOURCE_AU_GST`. */
function sourceAddresses(env: Bindings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('SOURCE_') && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
