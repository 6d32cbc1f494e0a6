import { openLocalBook, type LocalData } from '../../src/tax/regimes/us-local/local-book.ts'
import type { StateOnFile } from '../../src/tax-data/local-parts.ts'
import {
  anchorsMissed,
  changesOf,
  implausibilitiesOf,
  impossibilitiesOf,
  RATE_MAX,
  zipsMissing,
} from './believe.ts'
import type { BoundariesOfFile } from './boundaries-of-file.ts'
import { quarterOf } from './compact-day.ts'
import { MEMBER_STATES } from './sources.ts'
import { Doubt, type Known, type LocalOptions, type StateReading } from './state-reading.ts'

type Found = { jurisdictions: StateOnFile['jurisdictions']; rows_min: number }

/** Sets what is applied. Throws Doubt or ParseError if the jurisdictions cannot be believed. */
export function believe(
  reading: StateReading,
  { state, day, before, state_rate, data }: Known,
  { now, accept = false }: LocalOptions,
  { jurisdictions, rows_min }: Found,
): void {
  const wrong = impossibilitiesOf(before.jurisdictions, jurisdictions, { day, state_rate, rows_min })
  if (wrong.length > 0) throw new Doubt(wrong.join('; '))
  const changes = changesOf(before.jurisdictions, jurisdictions, day)
  const after = { law: before.law, jurisdictions, read_at: now.toISOString() }
  const unlikely = [
    ...implausibilitiesOf(changes, before.jurisdictions.length),
    ...(MEMBER_STATES.includes(state)
      ? []
      : anchorsMissed(openLocalBook(withState(data, state, after)), state, state_rate, day)),
  ]
  if (unlikely.length > 0 && !accept) throw new Doubt(unlikely.join('; '))
  reading.after = after
  reading.changes = changes
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

/** Throws Doubt if the reading misses a place whose tax was looked up by hand. */
export function refuseMissedAnchors(
  reading: StateReading,
  known: Known,
  { accept = false }: LocalOptions,
): void {
  const { state, data, state_rate, day } = known
  if (accept || reading.after === null || reading.boundaries === null) return
  const { from, found } = reading.boundaries
  const boundaries = { ...data.boundaries, [state]: [{ from, ...found.edition }] }
  const book = openLocalBook({ ...withState(data, state, reading.after), boundaries })
  const missed = anchorsMissed(book, state, state_rate, day)
  if (missed.length > 0) throw new Doubt(missed.join('; '))
}

function withState(data: LocalData, state: string, { jurisdictions }: StateOnFile): LocalData {
  const others = data.jurisdictions.filter((each) => each.state !== state)
  return { ...data, jurisdictions: [...others, ...jurisdictions] }
}
