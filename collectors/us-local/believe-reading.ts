import type { LocalFileKind } from '../../src/platform/database/values/run-outcomes.ts'
import {
  cityKey,
  type LocalBook,
  type LocalData,
  type LocalGap,
  type LocalJurisdiction,
  localRateOn,
  type LocalState,
  openLocalBook,
} from '../../src/engine/regimes/us-local/local-book.ts'
import type { StateOnFile } from '../../src/tax-data/records/local-parts.ts'
import {
  anchorsLost,
  anchorsMissed,
  changesOf,
  implausibilitiesOf,
  impossibilitiesOf,
  missingOf,
  partsMissing,
  RATE_MAX,
  remarkOnMissing,
  zipsMissing,
} from './believe.ts'
import type { BoundariesOfFile } from './boundaries-of-file.ts'
import { quarterOf } from './compact-day.ts'
import { remarkOnOdd } from './odd-records.ts'
import { MEMBER_STATES } from './sources.ts'
import { Doubt, type Known, type LocalOptions, type StateReading } from './state-reading.ts'

/** What a document says. `undecided`: its places without a rate because the address decides. */
type Found = {
  kind: LocalFileKind
  jurisdictions: StateOnFile['jurisdictions']
  undecided?: readonly { name: string; county_fips: string | null }[]
  odd: readonly string[]
  rows: number
  rows_min: number
}

/**
 * Sets what is applied. A place that the document lacks stays as it is until a person accepts that its tax
 * has ended. Throws Doubt if the document cannot be believed.
 */
export function believe(
  reading: StateReading,
  known: Known,
  { now, accept = false }: LocalOptions,
  { kind, jurisdictions: given, undecided = [], odd, rows, rows_min }: Found,
): void {
  const { state, day, before, state_rate } = known
  const bounds = { day, state_rate, rows_min, odd: odd.length }
  const wrong = impossibilitiesOf(before.jurisdictions, given, bounds)
  const ids = new Set(undecided.flatMap((place) => idsOf(place, before.jurisdictions)))
  const missing = missingOf(before.jurisdictions, given, { day, odd: odd.length, undecided: ids })
  const taxed = before.jurisdictions.filter((each) => localRateOn(each, day) > 0).length
  // What was shipped may have other names than the list: only a list can be compared with a list.
  if (before.read_at !== null) wrong.push(...partsMissing(missing, taxed, odd.length))
  if (wrong.length > 0) throw new Doubt(wrong.join('; '))
  const kept = accept && odd.length === 0 ? [] : missing
  const jurisdictions = withNamed([...without(given, kept), ...kept], before.jurisdictions)
  const law = lawWith(before, jurisdictions, undecided, day)
  const after = { law, jurisdictions, read_at: now.toISOString() }
  const changes = changesOf(before.jurisdictions, jurisdictions, day)
  const unlikely = implausibilitiesOf(
    changes.filter(({ id }) => !ids.has(id)),
    before.jurisdictions.length,
  )
  // The boundaries of a member state decide, so its anchors are judged with them.
  const books = [known.data, withState(known.data, state, after)].map(openLocalBook)
  const [, book] = books
  if (book !== undefined && !MEMBER_STATES.includes(state)) {
    refuseLostAnchors(known, books)
    unlikely.push(...anchorsMissed(book, state, state_rate, day))
  }
  if (unlikely.length > 0 && !accept) throw new Doubt(unlikely.join('; '))
  reading.after = after
  reading.changes = changes
  for (const text of [remarkOnOdd(odd, rows), remarkOnMissing(kept)])
    if (text !== null) reading.remarks.push({ kind, text })
}

function refuseLostAnchors({ state, state_rate, day }: Known, [before, after]: readonly LocalBook[]): void {
  if (before === undefined || after === undefined) return
  const lost = anchorsLost([before, after], state, state_rate, day)
  if (lost.length > 0) throw new Doubt(`${lost.join('; ')}; that is right on file, so nobody can accept it`)
}

function without(all: readonly LocalJurisdiction[], some: readonly LocalJurisdiction[]): LocalJurisdiction[] {
  const ids = new Set(some.map(({ id }) => id))
  return all.filter(({ id }) => !ids.has(id))
}

/** With the districts that a place still names as its own. */
function withNamed(all: LocalJurisdiction[], before: readonly LocalJurisdiction[]): LocalJurisdiction[] {
  const ids = new Set(all.map(({ id }) => id))
  const named = new Set(all.flatMap(({ also }) => also))
  return [...all, ...before.filter(({ id }) => named.has(id) && !ids.has(id))]
}

type Place = { name: string; county_fips: string | null }

/** The ids on file of a city without a rate in the list. */
function idsOf({ name, county_fips }: Place, known: readonly LocalJurisdiction[]): string[] {
  return known.flatMap((each) => {
    const same = each.type === 'city' && cityKey('', each.name) === cityKey('', name)
    return same && (each.county_fips ?? county_fips) === county_fips ? [each.id] : []
  })
}

/**
 * The law of a state whose list names places without a rate: a gap for each of them, as large as the highest
 * rate of the state allows, and none for the places that have a rate in the list.
 */
function lawWith(
  { law }: StateOnFile,
  jurisdictions: readonly LocalJurisdiction[],
  undecided: readonly Place[],
  day: string,
): LocalState {
  if (undecided.length === 0) return law
  const old = new Map(law.gaps?.map((gap) => [gapKey(gap), gap]))
  const named = new Set(undecided.map(({ name, county_fips }) => gapKey({ city: name, county_fips })))
  const rated = new Set(
    jurisdictions.flatMap((each) =>
      each.type === 'city' ? [gapKey({ city: each.name, county_fips: each.county_fips })] : [],
    ),
  )
  const highest = Math.max(0, ...jurisdictions.map((each) => localRateOn(each, day)))
  const counties = new Map(
    jurisdictions.map((each) => [each.type === 'county' ? each.county_fips : null, each]),
  )
  const kept = (law.gaps ?? []).filter((gap) => !named.has(gapKey(gap)) && !rated.has(gapKey(gap)))
  const gaps = undecided.map(({ name, county_fips }): LocalGap => {
    const county = county_fips === null ? undefined : counties.get(county_fips)
    const most = highest - (county === undefined ? 0 : localRateOn(county, day))
    const given = { city: name, county_fips, most_millionths: Math.max(most, 0) }
    return old.get(gapKey(given)) ?? given
  })
  return { ...law, gaps: [...kept, ...gaps] }
}

function gapKey({ city, county_fips }: Pick<LocalGap, 'city' | 'county_fips'>): string {
  return `${city === null ? '' : cityKey('', city)} ${county_fips ?? ''}`
}

/** The boundaries of a file, from the day on which they apply. Throws Doubt if they cannot be believed. */
export function believeBoundaries(
  { state, data, state_rate, day }: Known,
  { accept = false }: LocalOptions,
  found: BoundariesOfFile,
  file: string,
): StateReading['boundaries'] {
  const [newest] = data.boundaries[state] ?? []
  const unlikely = zipsMissing(Object.keys(newest?.zips ?? {}).length, Object.keys(found.edition.zips).length)
  if (found.highest + state_rate > RATE_MAX)
    throw new Doubt(
      `combines taxes to ${(found.highest + state_rate) / 10_000} %, more than ${RATE_MAX / 10_000} %`,
    )
  if (unlikely.length > 0 && !accept) throw new Doubt(unlikely.join('; '))
  const of_file = quarterOfFile(file) ?? quarterOf(day)
  return { from: found.from > of_file ? found.from : of_file, found }
}

/** `GAB2026Q4AUG20.zip` is for 1 October 2026 and later. */
function quarterOfFile(file: string): string | null {
  const [, year, quarter] = /^[A-Z]{3}(\d{4})Q([1-4])/i.exec(file) ?? []
  return year === undefined ? null : `${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}-01`
}

/** Throws Doubt if the reading misses a place whose tax was looked up by hand, or loses it. */
export function refuseMissedAnchors(
  reading: StateReading,
  known: Known,
  { accept = false }: LocalOptions,
): void {
  const { state, data, state_rate, day } = known
  if (reading.after === null || reading.boundaries === null) return
  const { from, found } = reading.boundaries
  const boundaries = { ...data.boundaries, [state]: [{ from, ...found.edition }] }
  const book = openLocalBook({ ...withState(data, state, reading.after), boundaries })
  refuseLostAnchors(known, [openLocalBook(data), book])
  if (accept) return
  const missed = anchorsMissed(book, state, state_rate, day)
  if (missed.length > 0) throw new Doubt(missed.join('; '))
}

function withState(data: LocalData, state: string, { law, jurisdictions }: StateOnFile): LocalData {
  const others = data.jurisdictions.filter((each) => each.state !== state)
  const states = { ...data.states, [state]: law }
  return { ...data, states, jurisdictions: [...others, ...jurisdictions] }
}
