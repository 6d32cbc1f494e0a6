import type { ControlDb } from '../src/platform/database/databases.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { newId } from '../src/platform/database/ids.ts'
import { insertSharedEvents, syncCompleted } from '../src/notices/events/events.ts'
import {
  endReviews,
  readReviewsOfRegion,
  type StoredReview,
  writeReadings,
} from '../src/tax-data/reviews/store.ts'
import { readState, recordRun, type Run } from '../src/tax-data/status/store.ts'
import { writeFreshness } from '../src/tax-data/status/sync-state.ts'
import type { PublishedRates } from '../src/tax-data/records/published-rates.ts'
import { readPublishedRates, storePublishedRates } from '../src/tax-data/records/published-rates-store.ts'
import { ParseError, type SourceDocument } from './collector.ts'
import { FetchError, fetchDocument, type Fetching } from './documents.ts'
import { messageOf, type PartSource } from './gather.ts'
import { type HeldRate, judgeSeries, type SeriesVerdict, shownRate } from './judge-series.ts'
import type { PipelineOptions, RunResult } from './pipeline.ts'
import type { RateSeries, SeriesPublication } from './series.ts'

/** The most reviews that one run adds. */
const NEW_MAX = 200
const TEXT_MAX = 1_000

/** What a run read, and what it believes of it. `fault`: why it believes nothing. */
type SeriesReading = {
  documents: SourceDocument[]
  hashes: ReadonlyMap<string, string>
  source: PartSource
  seen: number
  /** The days that were read. */
  days: ReadonlySet<string>
  verdict: SeriesVerdict
  fault: { outcome: 'quarantined' | 'failed'; error: string } | null
}

const NOTHING: SeriesVerdict = { days: [], added: 0, changed: 0, confirmed: 0, held: [] }

/**
 * Runs the collector of a series of exchange rates: fetch → read → judge → store → announce. Throws only if
 * our own database fails, not for an error of a source. The caller must have the lease of the region.
 */
export async function runSeries(
  env: Pick<Bindings, 'DB' | 'KV'>,
  series: RateSeries,
  options: PipelineOptions,
): Promise<RunResult> {
  const began = Date.now()
  const { now, dry_run = false } = options
  const [stored, reviews, state] = await Promise.all([
    readPublishedRates(env.DB, series.series),
    readReviewsOfRegion(env.DB, series.region),
    readState(env.DB, series.region),
  ])
  const reading = await readSeries(env, series, options, stored, reviews)
  const run = runOf(series, reading, now, Date.now() - began)
  if (!dry_run) {
    const { verdict, hashes } = reading
    const days = verdict.days.map((each) => ({ ...each, document_hash: hashes.get(each.day) ?? '' }))
    const completed =
      run.error === null ? [syncCompleted(run.region, verdict.added + verdict.changed, run.duration_ms)] : []
    const complete = reading.fault === null
    await env.DB.batch([
      ...storePublishedRates(env.DB, series.series, days, now),
      ...recordRun(env.DB, run, now, { complete, fallbacks: state?.fallbacks ?? [] }),
      ...reviewsAfter(env.DB, series, reading, reviews, options),
      ...insertSharedEvents(env.DB, completed, now),
    ])
    await writeFreshness(env, series.region)
  }
  const { verdict, fault, source } = reading
  const part = {
    part: series.part,
    source: source.source,
    outcome: run.outcome,
    differs: fault?.outcome === 'quarantined' ? ('shape' as const) : null,
    confirmed: verdict.confirmed,
    changed: verdict.added + verdict.changed,
    held: verdict.held.length,
    error: run.error,
  }
  return { run, parts: [part], changes: [], held: [] }
}

/** Reads the first publication that can be read and believed. */
async function readSeries(
  env: Pick<Bindings, 'KV'>,
  series: RateSeries,
  options: PipelineOptions,
  stored: readonly PublishedRates[],
  reviews: readonly StoredReview[],
): Promise<SeriesReading> {
  const source: PartSource = { part: series.part, source: null, fallback: false, others: [] }
  const documents: SourceDocument[] = []
  const day = options.now.toISOString().slice(0, 10)
  const earlier = earlierRates(reviews)
  let outcome: 'quarantined' | 'failed' = 'failed'
  for (const publication of series.alternatives) {
    try {
      const days = wholeDays(stored, reviews)
      const { found, hashes } = await readPublication(env, publication, options, days, source, documents)
      const judging = { day, accept: options.accept ?? false, earlier }
      const verdict = judgeSeries(series, stored, found, judging)
      source.fallback = source.others.some(({ source: name }) => name !== publication.source)
      source.source = publication.source
      const seen = found.reduce((sum, { rates }) => sum + Object.keys(rates).length, 0)
      return {
        documents,
        hashes,
        source,
        seen,
        days: new Set(found.map(({ day }) => day)),
        verdict,
        fault: null,
      }
    } catch (thrown) {
      if (thrown instanceof ParseError) outcome = 'quarantined'
      source.others.push({ source: publication.source, error: messageOf(thrown) })
    }
  }
  const error = `${series.part}: ${source.others.map((each) => each.error).join('; ')}`
  const nothing = { hashes: new Map(), seen: 0, days: new Set<string>(), verdict: NOTHING }
  return { documents, source, ...nothing, fault: { outcome, error } }
}

/** The days on file that lack no rate. A rate that is held, or was refused, is missing from its day. */
function wholeDays(stored: readonly PublishedRates[], reviews: readonly StoredReview[]): ReadonlySet<string> {
  const open = reviews
    .filter(({ status }) => status !== 'refused')
    .map(({ subject }) => dayOfSubject(subject))
  const incomplete = new Set(open)
  return new Set(stored.flatMap(({ day }) => (incomplete.has(day) ? [] : day)))
}

/** All documents of a publication. An optional one that is not published yet is left out. */
async function readPublication(
  env: Pick<Bindings, 'KV'>,
  publication: SeriesPublication,
  { now, addresses, dry_run = false, timeout_ms, pause_ms }: PipelineOptions,
  days: ReadonlySet<string>,
  source: PartSource,
  documents: SourceDocument[],
): Promise<{ found: PublishedRates[]; hashes: Map<string, string> }> {
  const fetching: Fetching = {
    kv: env.KV,
    dry_run,
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(pause_ms !== undefined && { pause_ms }),
  }
  const url = addresses[publication.variable] ?? publication.url
  const found: PublishedRates[] = []
  const hashes = new Map<string, string>()
  for (const request of publication.requests(url, now.toISOString().slice(0, 10), days)) {
    try {
      const document = await fetchDocument(request, fetching)
      documents.push(document)
      for (const each of publication.read(document)) {
        found.push(each)
        hashes.set(each.day, document.hash)
      }
    } catch (thrown) {
      if (!request.optional || !(thrown instanceof FetchError)) throw thrown
      if (!thrown.message.endsWith('answered 404'))
        source.others.push({ source: publication.source, error: thrown.message })
    }
  }
  return { found, hashes }
}

function runOf(series: RateSeries, reading: SeriesReading, now: Date, duration_ms: number): Run {
  const { verdict, fault, documents, source, seen } = reading
  const held = verdict.held.map(({ subject, value, why }) => `${subject} is ${value}: ${why}`)
  const shown = held.length > 5 ? [...held.slice(0, 5), `and ${held.length - 5} more`] : held
  return {
    id: newId('run'),
    region: series.region,
    started_at: now.toISOString(),
    duration_ms,
    outcome: fault?.outcome ?? outcomeOf(verdict),
    documents: documents.map(({ url, bytes, hash }) => ({ url, bytes, sha256: hash })),
    records_seen: seen,
    records_confirmed: verdict.confirmed,
    records_changed: verdict.changed,
    records_added: verdict.added,
    records_held: held.length,
    data_version: null,
    error: fault?.error ?? (shown.length === 0 ? null : shown.join('; ')),
    sources: [source],
  }
}

function outcomeOf({ held, days }: SeriesVerdict): Run['outcome'] {
  if (held.length > 0) return 'quarantined'
  return days.length > 0 ? 'applied' : 'confirmed'
}

function earlierRates(reviews: readonly StoredReview[]) {
  const known = new Map(reviews.map((each) => [`${each.subject}\n${each.value}`, each]))
  return (subject: string, value: string) => {
    const found = known.get(`${subject}\n${value}`)
    return found === undefined
      ? null
      : { first_day: found.first_seen_at.slice(0, 10), refused: found.status === 'refused' }
  }
}

/**
 * Statements that update the reviews of a series. A held value is a review of the document. A person refuses
 * it in the queue, or accepts it by the command line.
 */
function reviewsAfter(
  db: ControlDb,
  series: RateSeries,
  { verdict, days, fault, documents, source }: SeriesReading,
  stored: readonly StoredReview[],
  { now, accept = false }: PipelineOptions,
): D1PreparedStatement[] {
  const at = now.toISOString()
  const doubted: HeldRate[] =
    fault?.outcome === 'quarantined'
      ? [{ subject: series.part, value: fault.error.slice(0, 300), status: 'open', why: fault.error }]
      : []
  const live = new Map(
    stored.flatMap((each) => (each.status === 'refused' ? [] : [[`${each.subject}\n${each.value}`, each]])),
  )
  const readings = [...verdict.held, ...doubted].map((held): StoredReview => {
    const known = live.get(`${held.subject}\n${held.value}`)
    const first_seen_at = known?.first_seen_at ?? at
    return {
      id: known?.id ?? newId('rev'),
      region: series.region,
      part: series.part,
      kind: 'document',
      ...held,
      why: held.why.slice(0, TEXT_MAX),
      stands: null,
      proposed: null,
      source: source.source ?? source.others.at(-1)?.source ?? series.part,
      document_url: documents.at(-1)?.url ?? '',
      document_hash: documents.at(-1)?.hash ?? null,
      excerpt: held.value,
      witnesses: JSON.stringify([{ source: source.source ?? '', day: first_seen_at.slice(0, 10) }]),
      first_seen_at,
      last_seen_at: at,
      decided_at: null,
      decided_by: null,
      decision_reason: null,
    }
  })
  const seen = new Set(readings.map(({ id }) => id))
  const known = new Set([...live.values()].map(({ id }) => id))
  // A held rate ends only when its day was read again: its month may be one of those that are not asked for.
  const ended =
    fault === null
      ? [...live.values()].filter(({ id, subject }) => {
          const day = dayOfSubject(subject)
          return !seen.has(id) && (day === null || days.has(day))
        })
      : []
  const isStored = ({ subject, value }: StoredReview) =>
    verdict.days.some(({ day, rates }) => {
      const rate = rates[subject.slice(0, 3)]
      return day === dayOfSubject(subject) && rate !== undefined && shownRate(rate) === value
    })
  return [
    ...writeReadings(
      db,
      readings.filter(({ id }) => known.has(id)),
      readings.filter(({ id }) => !known.has(id)).slice(0, NEW_MAX),
    ),
    ...endReviews(db, idsOf(ended.filter(isStored)), accept ? 'accepted' : 'applied', at),
    ...endReviews(db, idsOf(ended.filter((each) => !isStored(each))), 'gone', at),
  ]
}

function idsOf(reviews: readonly StoredReview[]): string[] {
  return reviews.map(({ id }) => id)
}

/** The day of the review of a rate, `USD of 2026-11-20`; null for the review of a document. */
function dayOfSubject(subject: string): string | null {
  return / of (\d{4}-\d{2}-\d{2})$/.exec(subject)?.[1] ?? null
}
