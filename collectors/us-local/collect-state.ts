import { type LocalEdition, readEditions } from '../../src/tax-data/status/local-editions-store.ts'
import type { LocalFileKind } from '../../src/platform/database/values/run-outcomes.ts'
import { readReviewsOfRegion } from '../../src/tax-data/reviews/store.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { findRate, openRateBook } from '../../src/engine/book/rate-book.ts'
import { fromLocalParts, type StateOnFile, readState } from '../../src/tax-data/records/local-parts.ts'
import { readLocalParts, readLocalVersion } from '../../src/tax-data/records/local-store.ts'
import { readFactsOf } from '../../src/tax-data/records/store.ts'
import { ParseError } from '../collector.ts'
import { FetchError, type Fetching } from '../documents.ts'
import { refuseMissedAnchors, believe, believeBoundaries } from './believe-reading.ts'
import { readStateList, readWatched } from './read-list.ts'
import { readMemberBoundaries, readMemberRates } from './read-member.ts'
import { COLLECTED_STATES, LISTS, MEMBER_STATES, WATCHED } from './sources.ts'
import { recordState } from './record-state.ts'
import { Doubt, type Known, type LocalOptions, type StateReading } from './state-reading.ts'

type Store = Pick<Bindings, 'DB' | 'KV'>

/**
 * Reads the official files of a state, and applies those that can be believed. A state that cannot be
 * believed changes nothing, and waits for a person. Throws if the database fails, or for an unknown state.
 */
export async function collectState(
  env: Store,
  state: string,
  options: LocalOptions,
): Promise<{ reading: StateReading }> {
  const began = Date.now()
  if (!COLLECTED_STATES.includes(state)) throw new Error(`${state} is no state whose files are read`)
  const known = await readKnown(env, state, options)
  const reading = await readFiles(env, known, options)
  if (options.dry_run !== true) {
    const stored = await readReviewsOfRegion(env.DB, 'US-LOCAL')
    await recordState(env, reading, { options, stored, duration_ms: Date.now() - began, data: known.data })
  }
  return { reading }
}

async function readKnown(env: Store, state: string, { now }: LocalOptions): Promise<Known> {
  const day = now.toISOString().slice(0, 10)
  const [version, facts, editions] = await Promise.all([
    readLocalVersion(env.DB),
    readFactsOf(env.DB, null),
    readEditions(env.DB, state),
  ])
  if (version === null || facts === null) throw new Error('load the shipped data first')
  const parts = await readLocalParts(env.DB, version)
  const own = parts.find(({ part }) => part === state)
  if (own === undefined) throw new Error(`the local data has no ${state}`)
  const rate = findRate(openRateBook(facts), `US-${state}`, 'SALES_TAX', 'standard', day)
  return {
    state,
    day,
    data: fromLocalParts({ version, parts }),
    before: readState(own.content),
    state_rate: rate?.rate_millionths ?? 0,
    editions: new Map(editions.map((each) => [each.kind, each])),
  }
}

async function readFiles(env: Store, known: Known, options: LocalOptions): Promise<StateReading> {
  const reading: StateReading = {
    state: known.state,
    documents: [],
    before: known.before,
    after: null,
    changes: [],
    boundaries: null,
    editions: [],
    faults: [],
    remarks: [],
  }
  const fetching = { kv: env.KV, ...timings(options) }
  const list = LISTS.find(({ state }) => state === known.state)
  const watched = WATCHED.find(({ state }) => state === known.state)
  const { day, state_rate, before } = known
  const { documents } = reading
  const task = {
    known: before.jurisdictions,
    day,
    state_rate,
    addresses: options.addresses,
    fetching,
    documents,
  }
  if (MEMBER_STATES.includes(known.state)) await readMember(reading, known, options, fetching)
  else if (list !== undefined)
    await attempt(reading, known, 'list', async () => {
      const found = await readStateList(list, task)
      believe(reading, known, options, { ...found, kind: 'list', rows_min: list.rows_min })
      const { rows, hash } = found
      return { file: null, hash, rows, next_change: null }
    })
  else if (watched !== undefined)
    await attempt(reading, known, 'watched', async () => {
      const { hash } = await readWatched(watched, task)
      const last = known.editions.get('watched')?.hash ?? null
      if (last !== null && last !== hash && options.accept !== true) throw new Doubt(LIST_CHANGED)
      return { file: null, hash, rows: 0, next_change: null }
    })
  return reading
}

const LIST_CHANGED =
  'the list has changed: correct data/us-local by hand, then accept its new hash on the command line'

type FileRead = Pick<LocalEdition, 'file' | 'hash' | 'rows' | 'next_change'>

/** Reads one file. What goes wrong with it is a fault of the reading, with the edition before kept. */
async function attempt(
  reading: StateReading,
  { state, editions }: Known,
  kind: LocalFileKind,
  work: () => Promise<FileRead>,
): Promise<boolean> {
  const before = editions.get(kind)
  const same = {
    state,
    kind,
    file: before?.file ?? null,
    tried_file: before?.listed_file ?? null,
    hash: before?.hash ?? null,
    rows: before?.rows ?? 0,
    next_change: before?.next_change ?? null,
    read_at: before?.read_at ?? null,
  }
  try {
    const file = await work()
    const told = reading.remarks.flatMap((remark) => (remark.kind === kind ? [remark.text] : []))
    const error = told.length === 0 ? null : `${state} ${kind}: ${told.join('; ')}`.slice(0, 1_000)
    reading.editions.push({ ...same, ...file, outcome: 'confirmed', error })
    return true
  } catch (thrown) {
    if (!(thrown instanceof FetchError || thrown instanceof ParseError || thrown instanceof Doubt))
      throw thrown
    const outcome = thrown instanceof FetchError ? 'failed' : 'quarantined'
    const error = `${state} ${kind}: ${thrown.message}`.slice(0, 1_000)
    reading.faults.push({ kind, outcome, error })
    reading.editions.push({ ...same, outcome, error })
    // Of a document that is not believed, nothing is written. Boundaries are a document of their own.
    if (kind !== 'boundaries') withdrawReading(reading)
    return false
  }
}

/** Rates first: the boundaries are combined by them. One that is not believed takes the other with it. */
async function readMember(
  reading: StateReading,
  known: Known,
  options: LocalOptions,
  fetching: Fetching,
): Promise<void> {
  const { state, day, before, editions } = known
  const [rates_file, boundary_file] = [
    editions.get('rates')?.listed_file,
    editions.get('boundaries')?.listed_file,
  ]
  if (!rates_file) {
    reading.faults.push({ kind: 'rates', outcome: 'failed', error: `${state} rates: no file is listed` })
    return
  }
  const { documents } = reading
  const { law, jurisdictions: on_file } = before
  const task = { state, law, known: on_file, day, addresses: options.addresses, fetching, documents }
  let districts = false
  const good = await attempt(reading, known, 'rates', async () => {
    const read = await readMemberRates(task, rates_file)
    districts = read.districts
    if (districts && !boundary_file) throw new Doubt(WITHOUT_BOUNDARIES)
    believe(reading, known, options, { ...read, kind: 'rates', rows_min: 1 })
    if (districts && !options.boundaries) {
      // Districts tax only a part of a county or city: without the boundaries their place is not known.
      if (reading.changes.length > 0) throw new Doubt(waitingForBoundaries(reading.changes.length))
      withdrawReading(reading)
    }
    return {
      file: rates_file,
      hash: read.hash,
      rows: read.rows,
      next_change: nextChange(read.jurisdictions, day),
    }
  })
  if (!good || !boundary_file || reading.after === null || !options.boundaries) return
  const { jurisdictions } = reading.after
  const placed = await attempt(reading, known, 'boundaries', async () => {
    const { boundaries, hash } = await readMemberBoundaries(task, boundary_file, jurisdictions)
    reading.boundaries = believeBoundaries(known, options, boundaries, boundary_file)
    refuseMissedAnchors(reading, known, options)
    const { rows, odd, odd_shown, next_change } = boundaries
    if (odd_shown !== null)
      reading.remarks.push({
        kind: 'boundaries',
        text: `left out ${odd} of ${rows} records that are not understood, such as ${odd_shown}`,
      })
    return { file: boundary_file, hash, rows, next_change }
  })
  if (!placed) {
    reading.boundaries = null
    if (districts) withdrawReading(reading)
  }
}

const WITHOUT_BOUNDARIES = 'has districts, and the directory has no boundary file of the state'

function waitingForBoundaries(changes: number): string {
  return (
    `differ in ${changes} places from what is on file, and wait for the boundary file of the state: ` +
    'run npm run collect -- US-LOCAL with the state, or deploy with --local-boundaries'
  )
}

/** Takes a reading back: nothing of the state changes. */
function withdrawReading(reading: StateReading): void {
  reading.after = null
  reading.changes = []
  reading.remarks = reading.remarks.filter(({ kind }) => kind === 'boundaries')
}

/** The next day on which a rate begins or has ended; null: there is none. */
function nextChange(jurisdictions: StateOnFile['jurisdictions'], day: string): string | null {
  const days = jurisdictions.flatMap(({ rates }) => rates.flatMap(({ from }) => from ?? []))
  return days.filter((each) => each > day).toSorted()[0] ?? null
}

function timings({ timeout_ms, pause_ms, eager = false }: LocalOptions): Omit<Fetching, 'kv' | 'dry_run'> {
  return {
    eager,
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(pause_ms !== undefined && { pause_ms }),
  }
}
