import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Collector, Part } from '../../collectors/collector.ts'
import { type RunResult, runCollector } from '../../collectors/pipeline.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import { readFactsOf } from '../../src/tax-data/records/store.ts'
import type { Facts } from '../../src/engine/book/facts.ts'
import { writeShippedFacts } from '../support/service-data.ts'
import { type Published, SOURCE_HOST } from '../support/source-server.ts'

/** The moment at which the tests collect, after everything that ships was verified. */
export const NOW = new Date('2026-11-21T02:00:00Z')

export type Documents = Record<string, Published>

export const html = (body: string): Published => ({ body, type: 'text/html; charset=utf-8' })

/** Loads the shipped facts into an empty database. */
export async function shipData(): Promise<void> {
  const tables = [
    'collector_evidence',
    'collector_runs',
    'collector_states',
    'reviews',
    'collector_leases',
    'events',
    'facts',
    'later_facts',
    'data_versions',
  ]
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  await writeShippedFacts()
  await publishRateBook(env.DB, env.KV, new Date('2026-11-20T00:00:00Z'))
}

/**
 * Publishes documents by the variables of their sources, and runs the collector on them. What is not
 * published answers 404.
 */
export async function collect(
  collector: Collector,
  documents: Documents,
  { now = NOW, dry_run = false, accept = false }: { now?: Date; dry_run?: boolean; accept?: boolean } = {},
): Promise<RunResult & { addresses: Record<string, string> }> {
  const folder = crypto.randomUUID()
  const addresses: Record<string, string> = {}
  for (const part of collector.parts)
    for (const { variable } of [...part.alternatives, ...(part.beside ?? [])])
      addresses[variable] = `https://${SOURCE_HOST}/${folder}/${variable}`
  for (const [name, document] of Object.entries(documents))
    await publish(addresses[name] ?? `https://${SOURCE_HOST}/${folder}/${name}`, document)
  const result = await runCollector(env, collector, {
    now,
    addresses,
    dry_run,
    accept,
    timeout_ms: timeoutFor(documents),
    pause_ms: 1,
  })
  return { ...result, addresses }
}

/** So many days after `NOW`. */
export const after = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
export const TOMORROW = after(1)

/** Collects on two days: on the second one, the same reading is its own second witness. */
export async function collectTwice(
  collector: Collector,
  documents: Documents,
): Promise<[first: RunResult, second: RunResult]> {
  return [await collect(collector, documents), await collect(collector, documents, { now: TOMORROW })]
}

/** What is held back, and why, as the reviews say it. */
export async function reviews(): Promise<{ subject: string; status: string; why: string; value: string }[]> {
  const { results } = await env.DB.prepare(
    'SELECT subject, value, status, why, proposed, stands, excerpt, witnesses FROM reviews ORDER BY id',
  ).all<{ subject: string; status: string; why: string; value: string }>()
  return results
}

/** Slow is not dead: only an answer that never ends gets a short time. */
function timeoutFor(documents: Documents): number {
  const never = Object.values(documents).some(
    ({ hangs, stated_length }) => hangs === true || stated_length !== undefined,
  )
  return never ? 300 : 20_000
}

export async function publish(url: string, document: Published): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body: JSON.stringify(document) })
  expect(response.status).toBe(200)
}

/** All facts as they stand in the database. */
export async function facts(): Promise<Facts> {
  const found = await readFactsOf(env.DB, null)
  if (found === null) throw new Error('no facts are loaded')
  return found
}

/** The standard rates of a jurisdiction, the oldest first. */
export async function standardRates(id: string): Promise<Facts['rates']> {
  const { rates } = await facts()
  return rates.filter((rate) => rate.jurisdiction_id === id && rate.category === 'standard')
}

/** The same without their last verification: what the facts say. */
export async function values(): Promise<object> {
  return JSON.parse(
    JSON.stringify(await facts(), (name, value: unknown) => (READING.has(name) ? undefined : value)),
  )
}

/**
 * Fields of the last verification, from which the kind of a source follows. The `as_of` of exchange rates is
 * one of the facts, and no test changes it.
 */
const READING = new Set(['last_verified_at', 'verified_by', 'as_of', 'doubted_since', 'source_kind'])

/** Which of a part's records were verified at a moment, by their keys. */
export async function verifiedAt(part: Part, moment: Date): Promise<string[]> {
  const { rates, thresholds, product_rules } = await facts()
  const at = moment.toISOString()
  const keys = [
    ...rates.map((each) => ({ ...each, key: `${each.jurisdiction_id} ${each.tax_type} ${each.category}` })),
    ...thresholds.map((each) => ({
      ...each,
      key: `${each.jurisdiction_id} ${each.threshold_type} ${each.scope}`,
    })),
    ...product_rules.map((each) => ({
      ...each,
      key: `${each.jurisdiction_id} ${each.tax_type} ${each.product_type}`,
    })),
  ]
  return keys
    .filter(({ last_verified_at, key }) => last_verified_at === at && part.expected.includes(key))
    .map(({ key }) => key)
}

/** The events that stand in the outbox. */
export async function events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { results } = await env.DB.prepare('SELECT type, data FROM events ORDER BY id').all<{
    type: string
    data: string
  }>()
  return results.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
}

/** The same documents with one of them changed. */
export function changed(
  documents: Documents,
  name: string,
  change: Partial<Published> | ((body: string) => string),
): Documents {
  const before = documents[name]
  if (before === undefined) throw new Error(`there is no document ${name}`)
  const after =
    typeof change === 'function' ? { ...before, body: change(before.body) } : { ...before, ...change }
  if (typeof change === 'function' && after.body === before.body)
    throw new Error(`the change of ${name} changes nothing`)
  return { ...documents, [name]: after }
}
