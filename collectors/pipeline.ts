import type { Bindings } from '../src/bindings.ts'
import { newId } from '../src/database/ids.ts'
import { insertRows } from '../src/database/insert-rows.ts'
import {
  insertEvents,
  jurisdictionAdded,
  type NewEvent,
  rateUpdated,
  syncCompleted,
  thresholdUpdated,
} from '../src/events/events.ts'
import { recordRun, type Run } from '../src/status/store.ts'
import { writeFreshness } from '../src/status/sync-state.ts'
import type { Facts, Jurisdiction } from '../src/tax/book/facts.ts'
import { openRateBook, type RateBook } from '../src/tax/book/rate-book.ts'
import { applyFacts } from '../src/tax-data/apply-facts.ts'
import { publishRateBook } from '../src/tax-data/current-rate-book.ts'
import { readFactsOf } from '../src/tax-data/store.ts'
import { implausibilities } from './checks.ts'
import { type Collector, ParseError } from './collector.ts'
import { leading } from './beside.ts'
import { type Change, compare, type Comparison, factsAfter } from './compare.ts'
import type { Fetching } from './documents.ts'
import { type Addresses, type Fault, gather, type Gathered, type Gathering, type Sourced } from './gather.ts'
import { newJurisdictions } from './new-jurisdictions.ts'

export type PipelineOptions = {
  now: Date
  addresses: Addresses
  dry_run?: boolean
  /**
   * A person has looked: many changes at once, and large ones, are believed. What is out of bounds or missing
   * never is.
   */
  accept_changes?: boolean
} & Pick<Fetching, 'timeout_ms' | 'pause_ms'>

/** What a run did, or would do: the same in a dry run, which writes nothing. */
export type RunResult = { run: Run; changes: Change[] }

type Store = Pick<Bindings, 'DB' | 'KV'>

/**
 * Runs a collector: fetch → read → check → compare → apply → announce. A part that is not plausible is
 * quarantined: nothing of it is applied, its old data stays in force and grows stale honestly, and the run
 * counts as failed. Never throws for what a source does; throws when our own database fails.
 */
export async function runCollector(
  env: Store,
  collector: Collector,
  options: PipelineOptions,
): Promise<RunResult> {
  const began = Date.now()
  const day = options.now.toISOString().slice(0, 10)
  const facts = await readFactsOf(env.DB, null)
  if (facts === null) throw new Error('there is no tax data to compare with: load the shipped data first')
  const book = openRateBook(facts)
  const gathering = await gather(
    collector,
    { day, book, addresses: options.addresses },
    { kv: env.KV, ...timings(options) },
  )
  const verdict = judge(collector, gathering, book, options)
  const run = runOf(collector, gathering, verdict, options.now, Date.now() - began)
  if (options.dry_run !== true) await write(env, collector, run, verdict, facts, options.now)
  return { run, changes: [...verdict.comparison.changed, ...verdict.comparison.added] }
}

/**
 * What is believed: the comparison of the good parts, and what is wrong with the others. `good` says whether
 * there is any good part.
 */
type Verdict = {
  good: boolean
  comparison: Comparison
  jurisdictions: Jurisdiction[]
  seen: number
  faults: Fault[]
}

/** Whether what was read can be believed, part by part. Pure. */
function judge(
  collector: Collector,
  { gathered, faults }: Gathering,
  book: RateBook,
  options: PipelineOptions,
): Verdict {
  const judged = gathered.map((each) => judgePart(collector, each, book, options))
  const doubted = new Set([...faults, ...judged].flatMap((each) => ('error' in each ? each.doubted : [])))
  // What stands in a document that was doubted elsewhere is not believed either.
  const believed = judged.flatMap((each) =>
    'error' in each || each.documents.some((hash) => doubted.has(hash)) ? [] : [each],
  )
  const jurisdictions = believed.flatMap((each) => each.jurisdictions)
  return {
    good: believed.length > 0,
    comparison: merge(believed.map(({ comparison }) => comparison)),
    jurisdictions: [...new Map(jurisdictions.map((each) => [each.id, each])).values()],
    seen: gathered.reduce((sum, { findings }) => sum + findings.length, 0),
    faults: [...faults, ...judged.flatMap((each) => ('error' in each ? [each] : []))],
  }
}

type Believed = { comparison: Comparison; jurisdictions: Jurisdiction[]; documents: readonly string[] }

function judgePart(
  collector: Collector,
  { part, findings, beside }: Gathered,
  book: RateBook,
  options: PipelineOptions,
): Believed | Fault {
  const { now, accept_changes = false } = options
  const day = now.toISOString().slice(0, 10)
  const documents = [...new Set(findings.map((finding) => finding.document_hash))]
  try {
    const led = leading(findings, beside, day)
    const jurisdictions = newJurisdictions(collector, led, book, now)
    const comparison = compare(book, led, day, now)
    const doubts = implausibilities(part, led, comparison, accept_changes)
    return doubts.length > 0
      ? { outcome: 'quarantined', error: doubts.join('; '), doubted: documents }
      : { comparison, jurisdictions, documents }
  } catch (thrown) {
    if (thrown instanceof ParseError)
      return { outcome: 'quarantined', error: thrown.message, doubted: documents }
    throw thrown
  }
}

function merge(comparisons: readonly Comparison[]): Comparison {
  return {
    confirmed: comparisons.flatMap((each) => each.confirmed),
    changed: comparisons.flatMap((each) => each.changed),
    added: comparisons.flatMap((each) => each.added),
  }
}

function runOf(
  collector: Collector,
  { documents }: Gathering,
  verdict: Verdict,
  now: Date,
  duration_ms: number,
): Run {
  const { comparison, seen, faults } = verdict
  return {
    id: newId('run'),
    region: collector.region,
    started_at: now.toISOString(),
    duration_ms,
    outcome: outcomeOf(verdict),
    documents: documents.map(({ url, bytes, hash }) => ({ url, bytes, sha256: hash })),
    records_seen: seen,
    records_confirmed: comparison.confirmed.length,
    records_changed: comparison.changed.length,
    records_added: comparison.added.length,
    data_version: null,
    error: faults.length === 0 ? null : faults.map(({ error }) => error).join('; '),
  }
}

function outcomeOf({ comparison, faults }: Verdict): Run['outcome'] {
  if (faults.length > 0)
    return faults.some(({ outcome }) => outcome === 'quarantined') ? 'quarantined' : 'failed'
  return comparison.changed.length + comparison.added.length > 0 ? 'applied' : 'confirmed'
}

/** Facts, run, evidence and events in one batch; then what others read: the rate book and the freshness. */
async function write(
  env: Store,
  collector: Collector,
  run: Run,
  verdict: Verdict,
  facts: Facts,
  now: Date,
): Promise<void> {
  if (!verdict.good) {
    await env.DB.batch(recordRun(env.DB, run, now))
  } else {
    const { comparison, jurisdictions } = verdict
    await applyFacts(
      env.DB,
      factsOf(facts, comparison, jurisdictions, now),
      now,
      `collector ${collector.region}`,
      {
        also: ({ version }) => [
          ...recordRun(env.DB, { ...run, data_version: version }, now),
          ...insertRows(env.DB, 'collector_evidence', evidenceOf(run, comparison)),
          ...insertEvents(env.DB, eventsOf(run, facts, comparison, jurisdictions), now),
        ],
      },
    )
    await publishRateBook(env.DB, env.KV, now)
  }
  await writeFreshness(env, collector.region)
}

/**
 * What the comparison found, as facts to be applied; what it did not find stays out, and so stays as it is.
 */
function factsOf(
  { version, recorded_at }: Facts,
  comparison: Comparison,
  jurisdictions: Jurisdiction[],
  now: Date,
): Facts {
  const all = factsAfter(comparison, now)
  return {
    version,
    recorded_at,
    jurisdictions,
    rates: all.flatMap((each) => (each.kind === 'rates' ? [each.fact] : [])),
    thresholds: all.flatMap((each) => (each.kind === 'thresholds' ? [each.fact] : [])),
    product_rules: all.flatMap((each) => (each.kind === 'product_rules' ? [each.fact] : [])),
    postal_rules: [],
    consignment_limits: [],
    exchange_rates: [],
  }
}

function evidenceOf(run: Run, { changed, added }: Comparison) {
  return [...changed, ...added].map(({ finding, after }) => ({
    run_id: run.id,
    kind: after.kind,
    fact_id: after.fact.id,
    document_hash: hashOf(finding),
    matched_text: finding.evidence.slice(0, 1_000),
  }))
}

function hashOf(finding: Change['finding'] & Partial<Pick<Sourced, 'document_hash'>>): string {
  return finding.document_hash ?? ''
}

function eventsOf(
  run: Run,
  facts: Facts,
  { changed, added }: Comparison,
  jurisdictions: readonly Jurisdiction[],
): NewEvent[] {
  const names = new Map([...facts.jurisdictions, ...jurisdictions].map((each) => [each.id, each.name]))
  const nameOf = (id: string) => names.get(id) ?? id
  const updates = changed.flatMap(({ before, after }): NewEvent[] => {
    if (before?.kind === 'rates' && after.kind === 'rates')
      return [rateUpdated(nameOf(after.fact.jurisdiction_id), before.fact, after.fact)]
    if (before?.kind === 'thresholds' && after.kind === 'thresholds')
      return [thresholdUpdated(nameOf(after.fact.jurisdiction_id), before.fact, after.fact)]
    return []
  })
  // A synchronisation that left a part out is not completed.
  const completed =
    run.error === null ? [syncCompleted(run.region, changed.length + added.length, run.duration_ms)] : []
  return [...jurisdictions.map(jurisdictionAdded), ...updates, ...completed]
}

function timings({ timeout_ms, pause_ms }: PipelineOptions) {
  return { ...(timeout_ms !== undefined && { timeout_ms }), ...(pause_ms !== undefined && { pause_ms }) }
}
