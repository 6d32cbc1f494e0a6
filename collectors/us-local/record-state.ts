import type { ControlDb } from '../../src/platform/database/databases.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { newId } from '../../src/platform/database/ids.ts'
import { insertSharedEvents, localRatesUpdated } from '../../src/notices/events/events.ts'
import type { StoredReview } from '../../src/tax-data/reviews/store.ts'
import {
  type LocalEdition,
  readEditions,
  recordEditions,
} from '../../src/tax-data/status/local-editions-store.ts'
import { recordRun, type Run } from '../../src/tax-data/status/store.ts'
import { writeFreshness } from '../../src/tax-data/status/sync-state.ts'
import type { BoundaryEdition, Zip4Edition } from '../../src/engine/regimes/us-local/boundaries.ts'
import type { LocalData } from '../../src/engine/regimes/us-local/local-book.ts'
import { nameOfZip4, partOfBoundaries, partOfState } from '../../src/tax-data/records/local-parts.ts'
import type { LocalPart } from '../../src/tax-data/records/local-store.ts'
import { readCurrentParts, readZip4Names } from '../../src/tax-data/records/local-writes-store.ts'
import { writeLocalParts } from '../../src/tax-data/records/write-local-parts.ts'
import type { Verdict } from '../judge.ts'
import { recordReadings } from '../readings.ts'
import type { LocalOptions, StateReading } from './state-reading.ts'

/** Editions of ZIPs that are kept: a year. Those of ZIP+4 are larger: two. */
const ZIP5_KEPT = 4
const ZIP4_KEPT = 2
/** A part of a ZIP3 has less than this: D1 keeps at most 2 MB in a row. */
const PART_MAX = 1_800_000
const CHANGES_SHOWN = 50
const ERRORS_SHOWN = 5

type Recording = {
  options: LocalOptions
  stored: readonly StoredReview[]
  duration_ms: number
  data: LocalData
}

/** Writes what was believed of a state, the run, the reviews and the event; then the new local book. */
export async function recordState(
  env: Pick<Bindings, 'DB' | 'KV'>,
  reading: StateReading,
  { options, stored, duration_ms, data }: Recording,
): Promise<void> {
  const { now, accept = false } = options
  const parts = reading.after === null ? [] : await partsOf(env, reading, data)
  const applied = reading.changes.length > 0 || reading.boundaries !== null
  const editions = reading.editions.map((each) => ({
    ...each,
    ...(each.outcome === 'confirmed' && { read_at: now.toISOString() }),
    ...(each.outcome === 'confirmed' && applied && { outcome: 'applied' as const }),
  }))
  const all = await editionsWith(env.DB, editions)
  const run = runOf(reading, all, now, duration_ms, applied)
  const complete = all.every(({ outcome }) => outcome !== 'failed')
  const verdict = verdictOf(reading)
  await writeLocalParts(env, parts, now, () => [
    ...recordRun(env.DB, run, now, { complete }),
    recordEditions(env.DB, editions),
    ...recordReadings(env.DB, { region: 'US-LOCAL', parts: [] }, verdict, { stored, accept, now }),
    ...insertSharedEvents(env.DB, eventsOf(reading, now), now),
  ])
  await writeFreshness(env, 'US-LOCAL')
}

/** The editions of all states after this run. */
async function editionsWith(
  db: ControlDb,
  editions: readonly Omit<LocalEdition, 'listed_file'>[],
): Promise<Omit<LocalEdition, 'listed_file'>[]> {
  const keys = new Set(editions.map(({ state, kind }) => `${state} ${kind}`))
  const others = (await readEditions(db)).filter(({ state, kind }) => !keys.has(`${state} ${kind}`))
  return [...others, ...editions]
}

function runOf(
  { state, documents, changes, faults }: StateReading,
  all: readonly Omit<LocalEdition, 'listed_file'>[],
  now: Date,
  duration_ms: number,
  applied: boolean,
): Run {
  const errors = all.flatMap(({ error }) => error ?? [])
  const shown = errors.slice(0, ERRORS_SHOWN)
  const more = errors.length - shown.length
  const doubted = all.filter(({ outcome }) => outcome === 'quarantined')
  const failed = all.some(({ outcome }) => outcome === 'failed')
  const good = applied && faults.length === 0 ? 'applied' : 'confirmed'
  return {
    id: newId('run'),
    region: 'US-LOCAL',
    started_at: now.toISOString(),
    duration_ms,
    outcome: doubted.length > 0 ? 'quarantined' : failed ? 'failed' : good,
    documents,
    records_seen: all.filter((each) => each.state === state).reduce((sum, { rows }) => sum + rows, 0),
    records_confirmed: 0,
    records_changed: changes.filter(({ before }) => before !== null).length,
    records_added: changes.filter(({ before }) => before === null).length,
    records_held: doubted.length,
    data_version: null,
    error: errors.length === 0 ? null : [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    sources: [],
  }
}

/** Each kind of file is a part of the collector: one that is not believed is a review of its document. */
function verdictOf({ state, editions, faults, remarks, documents }: StateReading): Verdict {
  const faulty = new Set(faults.map(({ kind }) => kind))
  const last = documents.at(-1)
  return {
    judged: editions
      .filter(({ kind }) => !faulty.has(kind))
      .map(({ kind }) => ({
        part: `${state} ${kind}`,
        confirmed: [],
        applied: [],
        held: [],
        jurisdictions: [],
        documents: [],
        said: new Set<string>(),
        odd: [],
      })),
    // What was left out or kept is applied, and a person is asked about it all the same.
    doubted: [
      ...faults,
      ...remarks.map(({ kind, text }) => ({
        kind,
        outcome: 'quarantined' as const,
        error: `${state} ${kind}: ${text}`,
      })),
    ].map(({ kind, outcome, error }) => ({
      part: `${state} ${kind}`,
      outcome,
      differs: null,
      error,
      doubted: [],
      held: [],
      document:
        outcome === 'failed' || last === undefined
          ? null
          : { source: `${state} ${kind}`, url: last.url, hash: last.sha256, excerpt: error },
    })),
  }
}

function eventsOf({ state, after, changes }: StateReading, now: Date) {
  const [first] = after?.jurisdictions ?? []
  if (changes.length === 0 || first === undefined) return []
  const shown = changes.slice(0, CHANGES_SHOWN).map(({ id, name, before, after: is, effective_from }) => ({
    jurisdiction_id: id,
    jurisdiction_name: name,
    old_rate: before === null ? null : before / 1_000_000,
    new_rate: is === null ? null : is / 1_000_000,
    effective_from,
  }))
  const id = `US-${state}`
  const data = {
    jurisdiction_id: id,
    jurisdiction_name: `Local taxes of ${id}`,
    source: first.source,
    changed: changes.length,
    changes: shown,
  }
  return [localRatesUpdated(data, now.toISOString().slice(0, 10))]
}

/**
 * The parts of a state: its jurisdictions first, because the others name them, then the ZIP+4, and last the
 * ZIPs, which say that ZIP+4 are on file.
 */
async function partsOf(
  env: Pick<Bindings, 'DB'>,
  { state, after, boundaries }: StateReading,
  data: LocalData,
): Promise<LocalPart[]> {
  if (after === null) return []
  const own = partOfState(state, after)
  if (boundaries === null) return [own]
  const { from, found } = boundaries
  const old = data.boundaries[state] ?? []
  const edition: BoundaryEdition = { from, ...found.edition }
  const zip5 = partOfBoundaries(state, withEdition(old, edition, ZIP5_KEPT))
  return [own, ...(await zip4Parts(env.DB, state, from, found.zip4)), zip5]
}

async function zip4Parts(
  db: ControlDb,
  state: string,
  from: string,
  found: Readonly<Record<string, Omit<Zip4Edition, 'from'>>>,
): Promise<LocalPart[]> {
  const stored = await readZip4Names(db, state)
  const names = new Set([...stored, ...Object.keys(found).map((zip3) => nameOfZip4(`${state}:${zip3}`))])
  const parts: LocalPart[] = []
  for (const part of names) {
    const [before] = await readCurrentParts(db, [part])
    const old: Zip4Edition[] = before === undefined ? [] : JSON.parse(before.content)
    const given = found[part.slice(-3)] ?? { stacks: [], zips: {} }
    const editions = withEdition(old, { from, ...given }, ZIP4_KEPT)
    const content = JSON.stringify(editions)
    parts.push({ part, content: content.length < PART_MAX ? content : JSON.stringify(editions.slice(0, 1)) })
  }
  return parts
}

/** The editions with a new one first. It replaces one of the same day, and one that says the same stays. */
function withEdition<Edition extends { from: string }>(
  old: readonly Edition[],
  edition: Edition,
  kept: number,
): Edition[] {
  const earlier = old.filter(({ from }) => from < edition.from)
  const [newest] = earlier
  const says = (each: Edition) => JSON.stringify({ ...each, from: null })
  if (newest !== undefined && says(newest) === says(edition)) return [...earlier].slice(0, kept)
  return [edition, ...earlier].slice(0, kept)
}
