import type { Bindings } from '../src/platform/bindings.ts'
import { newId } from '../src/platform/database/ids.ts'
import { insertRows } from '../src/platform/database/insert-rows.ts'
import type { SharedEvent } from '../src/notices/events/event-types.ts'
import {
  insertSharedEvents,
  jurisdictionAdded,
  syncCompleted,
  updateEvent,
} from '../src/notices/events/events.ts'
import { readReviewsOfRegion, type StoredReview } from '../src/tax-data/reviews/store.ts'
import { type Fallback, readState, recordRun, type Run } from '../src/tax-data/status/store.ts'
import { writeFreshness } from '../src/tax-data/status/sync-state.ts'
import type { Facts, Jurisdiction } from '../src/engine/book/facts.ts'
import { openRateBook } from '../src/engine/book/rate-book.ts'
import { applyFacts } from '../src/tax-data/records/apply-facts.ts'
import { publishRateBook } from '../src/tax-data/records/current-rate-book.ts'
import { readFactsOf } from '../src/tax-data/records/store.ts'
import type { Collector } from './collector.ts'
import { type Change, doubted, type Fact, factsAfter } from './compare.ts'
import type { Fetching } from './documents.ts'
import {
  type Addresses,
  gather,
  type Gathering,
  type PartSource,
  type Reading,
  readWitnesses,
  type Sourced,
} from './gather.ts'
import { hasChanges, judge, type Judging, type Verdict } from './judge.ts'
import { shownValue, subjectOf } from './kinds.ts'
import { earlierReadings, recordReadings } from './readings.ts'
import type { Held } from './witnesses.ts'

export type PipelineOptions = {
  now: Date
  addresses: Addresses
  dry_run?: boolean
  /**
   * A person has looked. Then many, large and unwitnessed changes are believed, but never missing records or
   * values out of bounds.
   */
  accept?: boolean
} & Pick<Fetching, 'timeout_ms' | 'pause_ms'>

/** What a run did with a part, or would do. `differs`: in what a document that is not believed differs. */
export type PartResult = {
  part: string
  source: string | null
  outcome: Run['outcome']
  differs: 'shape' | 'content' | null
  confirmed: number
  changed: number
  held: number
  error: string | null
}

/** What a run did, or would do: the same in a dry run, which writes nothing. */
export type RunResult = { run: Run; parts: PartResult[]; changes: Change[]; held: Held[] }

type Store = Pick<Bindings, 'DB' | 'KV'>

/**
 * Runs a collector: fetch → read → check → compare → find witnesses → apply → announce. If a part is not
 * plausible, nothing of it is applied: its old data stays in force and gets stale. A single change that is
 * not believed yet is held, and the rest of its part is applied. Throws only if our own database fails, not
 * for an error of a source. The caller must have the lease of the region.
 */
export async function runCollector(
  env: Store,
  collector: Collector,
  options: PipelineOptions,
): Promise<RunResult> {
  const began = Date.now()
  const { now, dry_run = false, accept = false } = options
  const [facts, stored, state] = await Promise.all([
    readFactsOf(env.DB, null),
    readReviewsOfRegion(env.DB, collector.region),
    readState(env.DB, collector.region),
  ])
  if (facts === null) throw new Error('there is no tax data to compare with: load the shipped data first')
  const book = openRateBook(facts)
  const reading = { day: now.toISOString().slice(0, 10), book, addresses: options.addresses }
  const fetching = { kv: env.KV, dry_run, ...timings(options) }
  const gathering = await gather(collector, reading, fetching)
  const judging = { book, now, accept, earlier: earlierReadings(stored) }
  const witnesses = await witnessesOf(gathering, judging, reading, fetching)
  const verdict = judge(collector, gathering, witnesses, judging)
  const run = runOf(collector, gathering, verdict, now, Date.now() - began)
  const known = { facts, stored, fallbacks: state?.fallbacks ?? [], accept }
  if (!dry_run) await write(env, collector, run, verdict, known, now)
  return {
    run,
    parts: gathering.sources.map((source) => partResult(source, verdict)),
    changes: verdict.judged.flatMap(({ applied }) => applied),
    held: heldOf(verdict),
  }
}

/**
 * The other publications of each part in which something changed. A part without a change costs no request.
 */
async function witnessesOf(
  { gathered, documents }: Gathering,
  judging: Judging,
  reading: Reading,
  fetching: Fetching,
): Promise<Map<string, readonly Sourced[]>> {
  const witnesses = new Map<string, readonly Sourced[]>()
  if (judging.accept) return witnesses
  for (const each of gathered)
    if (hasChanges(each, judging))
      witnesses.set(each.part.name, await readWitnesses(each, reading, fetching, documents))
  return witnesses
}

function partResult({ part, source, others }: PartSource, { judged, doubted: parts }: Verdict): PartResult {
  const believed = judged.find((each) => each.part === part)
  const fault = parts.find((each) => each.part === part) ?? believed?.odd[0]
  const [confirmed, changed, held] = [
    believed?.confirmed.length ?? 0,
    believed?.applied.length ?? 0,
    believed?.held.length ?? 0,
  ]
  const outcome = held > 0 ? 'quarantined' : changed > 0 ? 'applied' : 'confirmed'
  const missing = source === null ? others.map(({ error }) => error).join('; ') : null
  return {
    part,
    source,
    outcome: fault?.outcome ?? (believed === undefined ? 'quarantined' : outcome),
    differs: fault?.differs ?? null,
    confirmed,
    changed,
    held,
    error: fault?.error ?? missing,
  }
}

function heldOf({ judged, doubted: parts }: Verdict): Held[] {
  return [...judged, ...parts].flatMap(({ held }) => held)
}

function runOf(
  collector: Collector,
  { documents, gathered, sources }: Gathering,
  verdict: Verdict,
  now: Date,
  duration_ms: number,
): Run {
  const applied = verdict.judged.flatMap((part) => part.applied)
  const changed = applied.filter(({ before }) => before !== null).length
  return {
    id: newId('run'),
    region: collector.region,
    started_at: now.toISOString(),
    duration_ms,
    outcome: outcomeOf(verdict, applied.length),
    documents: documents.map(({ url, bytes, hash }) => ({ url, bytes, sha256: hash })),
    records_seen: gathered.reduce((sum, { findings }) => sum + findings.length, 0),
    records_confirmed: verdict.judged.reduce((sum, { confirmed }) => sum + confirmed.length, 0),
    records_changed: changed,
    records_added: applied.length - changed,
    records_held: heldOf(verdict).length,
    data_version: null,
    error: errorOf(verdict),
    sources,
  }
}

function outcomeOf({ judged, doubted: parts }: Verdict, applied: number): Run['outcome'] {
  const held = judged.some((part) => part.held.length > 0)
  const odd = judged.some((part) => part.odd.length > 0)
  if (parts.some(({ outcome }) => outcome === 'quarantined') || held || odd) return 'quarantined'
  if (parts.length > 0) return 'failed'
  return applied > 0 ? 'applied' : 'confirmed'
}

/** The faults and the held changes as one text; null: everything was applied. */
function errorOf({ judged, doubted: parts }: Verdict): string | null {
  const faults = [...parts, ...judged.flatMap(({ odd }) => odd)].map(({ error }) => error)
  const held = judged.flatMap((part) => part.held.map((each) => `${part.part}: ${differenceOf(each)}`))
  const shown = held.length > 5 ? [...held.slice(0, 5), `and ${held.length - 5} more`] : held
  return faults.length + held.length === 0 ? null : [...faults, ...shown].join('; ')
}

/** `DE VAT standard is 19 %, the source says 21 % ("…"): waits for a second source or a second day`. */
export function differenceOf({ change: { finding, before, after }, why }: Held): string {
  // The fact was found by the kind of the finding, so both are of one kind.
  const stands = before === null ? 'not on file' : shownValue(before.kind, before.fact as never)
  const found = after === null ? 'it no more' : shownValue(finding.kind, finding as never)
  const from = finding.effective_from === null ? '' : ` from ${finding.effective_from}`
  const excerpt = finding.evidence.slice(0, 120)
  return `${subjectOf(finding)} is ${stands}, the source says ${found}${from} ("${excerpt}"): ${why}`
}

type Known = {
  facts: Facts
  stored: readonly StoredReview[]
  fallbacks: readonly Fallback[]
  accept: boolean
}

/** Facts, run, evidence, reviews and events in one batch; then the rate book and the freshness. */
async function write(
  env: Store,
  collector: Collector,
  run: Run,
  verdict: Verdict,
  known: Known,
  now: Date,
): Promise<void> {
  const { facts, stored, fallbacks, accept } = known
  const readings = recordReadings(env.DB, collector, verdict, { stored, accept, now })
  const held = heldOf(verdict)
  const state = { complete: verdict.doubted.length === 0, fallbacks }
  if (verdict.judged.length === 0 && held.length === 0) {
    await env.DB.batch([...recordRun(env.DB, run, now, state), ...readings])
  } else {
    const changes = verdict.judged.flatMap(({ applied }) => applied)
    const jurisdictions = newOf(verdict)
    const reason = `collector ${collector.region}`
    await applyFacts(env.DB, factsOf(facts, verdict, held, now), now, reason, {
      also: ({ version }) => [
        ...recordRun(env.DB, { ...run, data_version: version }, now, state),
        ...readings,
        ...insertRows(env.DB, 'collector_evidence', evidenceOf(run, changes)),
        ...insertSharedEvents(env.DB, eventsOf(run, facts, changes, jurisdictions), now),
      ],
    })
    await publishRateBook(env.DB, env.KV, now)
  }
  await writeFreshness(env, collector.region)
}

function newOf({ judged }: Verdict): Jurisdiction[] {
  const all = judged.flatMap(({ jurisdictions }) => jurisdictions)
  return [...new Map(all.map((each) => [each.id, each])).values()]
}

/** The facts of a run, as they are stored. Facts of which the sources say nothing stay as they are. */
function factsOf(facts: Facts, verdict: Verdict, held: readonly Held[], now: Date): Facts {
  const { version, recorded_at } = facts
  const confirmed = verdict.judged.flatMap((part) => part.confirmed)
  const applied = verdict.judged.flatMap((part) => part.applied)
  const all = withDoubts(factsAfter(confirmed, applied, now), held, now)
  return {
    version,
    recorded_at,
    jurisdictions: newOf(verdict),
    rates: all.flatMap((each) => (each.kind === 'rates' ? [each.fact] : [])),
    thresholds: all.flatMap((each) => (each.kind === 'thresholds' ? [each.fact] : [])),
    product_rules: all.flatMap((each) => (each.kind === 'product_rules' ? [each.fact] : [])),
    postal_rules: [],
    consignment_limits: [],
    delivery_fees: [],
    exchange_rates: [],
    countries: [],
  }
}

/** A fact that a source contradicts is doubted, so that answers with it are stale at once. */
function withDoubts(stored: readonly Fact[], held: readonly Held[], now: Date): Fact[] {
  const doubts = new Map<string, Fact>()
  for (const { change } of held) {
    const { before, finding } = change
    const announced = (finding.effective_from ?? '') > now.toISOString().slice(0, 10)
    if (before !== null && !announced)
      doubts.set(`${before.kind} ${before.fact.id}`, doubted(before, now.toISOString()))
  }
  const others = stored.filter(({ kind, fact }) => !doubts.has(`${kind} ${fact.id}`))
  return [...others, ...doubts.values()]
}

function evidenceOf(run: Run, changes: readonly Change[]) {
  return changes.flatMap(({ finding, after }) =>
    after === null
      ? []
      : {
          run_id: run.id,
          kind: after.kind,
          fact_id: after.fact.id,
          document_hash: finding.document_hash,
          matched_text: finding.evidence.slice(0, 1_000),
        },
  )
}

function eventsOf(
  run: Run,
  facts: Facts,
  changes: readonly Change[],
  jurisdictions: readonly Jurisdiction[],
): SharedEvent[] {
  const names = new Map([...facts.jurisdictions, ...jurisdictions].map((each) => [each.id, each.name]))
  const updates = changes.flatMap(({ before, after }): SharedEvent[] =>
    before === null || after === null
      ? []
      : [updateEvent(names.get(after.fact.jurisdiction_id) ?? after.fact.jurisdiction_id, before, after)],
  )
  // A synchronisation that left a part out is not completed.
  const completed = run.error === null ? [syncCompleted(run.region, changes.length, run.duration_ms)] : []
  return [...jurisdictions.map(jurisdictionAdded), ...updates, ...completed]
}

function timings({ timeout_ms, pause_ms }: PipelineOptions) {
  return { ...(timeout_ms !== undefined && { timeout_ms }), ...(pause_ms !== undefined && { pause_ms }) }
}
