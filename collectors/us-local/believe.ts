import { plainName } from '../../src/engine/book/region-names.ts'
import {
  type LocalJurisdiction,
  type LocalBook,
  localRateOn,
} from '../../src/engine/regimes/us-local/local-book.ts'
import { localTaxAt } from '../../src/engine/regimes/us-local/local-tax-at.ts'
import { ANCHORS, type Anchor } from './anchors.ts'

/** No place of the United States pays more, millionths. */
export const RATE_MAX = 135_000
/** The share of the jurisdictions of a state that may change at once, and by how much. */
const CHANGED_MAX = 0.25
const MOVE_MAX = 30_000
/** The share of the ZIPs of the edition before that a new one has at least. */
const ZIPS_MIN = 0.95
/** A later change may move an anchor so far; up to the day when it was looked up it must be exact. */
const ANCHOR_MOVE = 10_000
const NAMED_MAX = 5

/** A jurisdiction whose rate differs, millionths. `before` null: it is new; `after` null: it is gone. */
export type RateChange = {
  id: string
  name: string
  before: number | null
  after: number | null
  effective_from: string | null
}

/** What changed on a day between two states of the jurisdictions, by type, county and name. */
export function changesOf(
  before: readonly LocalJurisdiction[],
  after: readonly LocalJurisdiction[],
  day: string,
): RateChange[] {
  const old = new Map(before.map((each) => [each.id, each]))
  const ids = new Set(after.map(({ id }) => id))
  const gone = before.filter((each) => !ids.has(each.id) && localRateOn(each, day) > 0)
  const names = new Map(gone.map((each) => [nameOf(each), each]))
  const changes = after.flatMap((each): RateChange[] => {
    const known = old.get(each.id) ?? names.get(nameOf(each)) ?? null
    if (known !== null) names.delete(nameOf(known))
    const [was, is] = [known === null ? null : localRateOn(known, day), localRateOn(each, day)]
    if (was === is || (was === null && is === 0)) return []
    const effective_from =
      each.rates.find(({ from, to }) => (from ?? '') <= day && (to ?? day) >= day)?.from ?? null
    return [{ id: each.id, name: each.name, before: was, after: is, effective_from }]
  })
  const removed = [...names.values()].map((each): RateChange => {
    return { id: each.id, name: each.name, before: localRateOn(each, day), after: null, effective_from: null }
  })
  return [...changes, ...removed]
}

function nameOf({ type, name }: LocalJurisdiction): string {
  return `${type} ${plainName(name)}`
}

/** What cannot be right: nothing of the state is applied, also if a person accepts. */
export function impossibilitiesOf(
  before: readonly LocalJurisdiction[],
  after: readonly LocalJurisdiction[],
  { day, state_rate, rows_min, odd }: { day: string; state_rate: number; rows_min: number; odd: number },
): string[] {
  const wrong: string[] = []
  if (after.length + odd < rows_min) wrong.push(`has ${after.length} jurisdictions, fewer than ${rows_min}`)
  const high = after.filter((each) => localRateOn(each, day) + state_rate > RATE_MAX)
  if (high.length > 0) wrong.push(`has a rate above ${RATE_MAX / 10_000} % in ${named(high)}`)
  const found = new Set(after.map(({ id }) => id))
  const missing = before.filter(
    (each) => each.type === 'county' && localRateOn(each, day) > 0 && !found.has(each.id),
  )
  // A county whose record was left out as odd stays on file as it is.
  if (missing.length > odd) wrong.push(`lacks ${missing.length} counties, such as ${named(missing)}`)
  return wrong
}

/**
 * The places with a tax on file that a new document no longer has, and those whose rate it says on no day
 * after one of its records was left out. `whole`: districts of ours, and places that the document names
 * without a rate, are not among them.
 */
export function missingOf(
  before: readonly LocalJurisdiction[],
  after: readonly LocalJurisdiction[],
  { day, odd, undecided }: { day: string; odd: number; undecided: ReadonlySet<string> },
): LocalJurisdiction[] {
  const found = new Map(after.map((each) => [each.id, each]))
  const names = new Set(after.flatMap((each) => (localRateOn(each, day) > 0 ? [nameOf(each)] : [])))
  return before.filter((each) => {
    if (localRateOn(each, day) === 0 || undecided.has(each.id) || isOurs(each)) return false
    const given = found.get(each.id)
    if (given !== undefined) return odd > 0 && localRateOn(given, day) === 0
    return !names.has(nameOf(each))
  })
}

/** Districts of our own have a word as their code. */
function isOurs({ type, code }: LocalJurisdiction): boolean {
  return type === 'district' && /[A-Z]{3}/.test(code)
}

/** The share of the places with a tax that a whole list may lack, because their tax has ended. */
const MISSING_MAX = 0.02

/** Why a list that was read before cannot be whole now; empty: it may be. */
export function partsMissing(missing: readonly LocalJurisdiction[], taxed: number, odd: number): string[] {
  if (missing.length <= Math.max(odd, Math.ceil(taxed * MISSING_MAX))) return []
  return [`lacks ${missing.length} of ${taxed} places with a tax, such as ${named(missing)}: it is not whole`]
}

/** What is told of places that are kept. */
export function remarkOnMissing(missing: readonly LocalJurisdiction[]): string | null {
  if (missing.length === 0) return null
  return `lacks ${missing.length} places with a tax, such as ${named(missing)}: they stay as they are`
}

/** What is so unusual that a person has to look. */
export function implausibilitiesOf(changes: readonly RateChange[], before: number): string[] {
  const unlikely: string[] = []
  const changed = changes.filter((each) => each.before !== null)
  if (before > 0 && changes.length > before * CHANGED_MAX && changes.length > NAMED_MAX)
    unlikely.push(`changes ${changes.length} of ${before} jurisdictions at once`)
  const moved = changed.filter((each) => Math.abs((each.after ?? 0) - (each.before ?? 0)) > MOVE_MAX)
  if (moved.length > 0) unlikely.push(`moves ${named(moved)} by more than ${MOVE_MAX / 10_000} points`)
  return unlikely
}

/** The addresses whose tax was looked up by a person, and that a book answers otherwise. */
export function anchorsMissed(book: LocalBook, state: string, state_rate: number, day: string): string[] {
  return anchorsOf(state, day).flatMap((anchor) => missOf(anchor, book, state_rate, day) ?? [])
}

/**
 * The addresses that a person looked up for this day, and that are right on file and would no longer be:
 * nobody can accept that.
 */
export function anchorsLost(
  [before, after]: readonly [LocalBook, LocalBook],
  state: string,
  state_rate: number,
  day: string,
): string[] {
  return anchorsOf(state, day).flatMap((anchor) =>
    day <= anchor.known_until && missOf(anchor, before, state_rate, day) === null
      ? (missOf(anchor, after, state_rate, day) ?? [])
      : [],
  )
}

function anchorsOf(state: string, day: string): Anchor[] {
  return ANCHORS.filter((anchor) => anchor.state === state && anchor.from <= day)
}

function missOf(
  { state, address, rate, known_until }: Anchor,
  book: LocalBook,
  state_rate: number,
  day: string,
): string | null {
  const found = localTaxAt(book, { state, address, day, fallback: null })
  const total = (found?.stack.rate ?? 0) + state_rate
  const allowed = day <= known_until ? 0 : ANCHOR_MOVE
  if (Math.abs(total - rate) <= allowed) return null
  const place = [address.city, address.zip5].filter((each) => each !== null).join(' ')
  return `gives ${total / 10_000} % in ${place}, where a person found ${rate / 10_000} %`
}

/** Whether a boundary file lost ZIPs. */
export function zipsMissing(before: number, after: number): string[] {
  return after >= before * ZIPS_MIN ? [] : [`has ${after} ZIPs, and the edition before had ${before}`]
}

function named(list: readonly { name: string }[]): string {
  return list
    .slice(0, NAMED_MAX)
    .map(({ name }) => name)
    .join(', ')
}
