import type { PublishedRates } from '../src/tax-data/records/published-rates.ts'
import { ParseError } from './collector.ts'
import type { RateSeries } from './series.ts'

/** A value that is not believed yet. `waiting`: for the same reading on another day. `open`: for a person. */
export type HeldRate = { subject: string; value: string; status: 'waiting' | 'open'; why: string }

/** What was read of a value before: the first day, and whether a person refused it. */
type EarlierRate = { first_day: string; refused: boolean }

/** What a run believes of a series. `days` are to be stored whole. */
export type SeriesVerdict = {
  days: PublishedRates[]
  added: number
  changed: number
  confirmed: number
  held: HeldRate[]
}

type SeriesJudging = {
  day: string
  /** A person has looked and accepts every value within its bounds. */
  accept: boolean
  earlier: (subject: string, value: string) => EarlierRate | null
}

/** The most published rates that a document may correct before a person looks at it. */
const REPUBLISHED_MAX = 5

/** The last rate of a currency before a day; null if there is none. */
type Before = { day: string; value: number } | null

/**
 * Compares the rates of a source with those on file. A new value is believed if it is near the one before. A
 * far value, and one that differs from what was published before, needs the same reading on another day. If
 * the currency is an expected one, a far value needs a person. Throws ParseError for a document that cannot
 * be right. Pure.
 */
export function judgeSeries(
  series: RateSeries,
  stored: readonly PublishedRates[],
  found: readonly PublishedRates[],
  judging: SeriesJudging,
): SeriesVerdict {
  refuseImpossible(series, stored, found, judging)
  const verdict: SeriesVerdict = { days: [], added: 0, changed: 0, confirmed: 0, held: [] }
  const known = new Map(stored.map((each) => [each.day, each.rates]))
  const read = new Map(found.map((each) => [each.day, each.rates]))
  const last = new Map<string, { day: string; value: number }>()
  for (const day of [...new Set([...known.keys(), ...read.keys()])].toSorted()) {
    const own = known.get(day) ?? {}
    const believed = { ...own }
    for (const [currency, value] of Object.entries(read.get(day) ?? {})) {
      const hold = holdOf(series, { day, currency, value, own: own[currency] ?? null }, last, judging)
      if (hold === null) believed[currency] = value
      else if (hold !== 'refused') verdict.held.push(hold)
    }
    addDay(verdict, day, own, believed, read.get(day) ?? {})
    for (const [currency, value] of Object.entries(believed)) last.set(currency, { day, value })
  }
  return verdict
}

function addDay(
  verdict: SeriesVerdict,
  day: string,
  own: Readonly<Record<string, number>>,
  believed: Readonly<Record<string, number>>,
  read: Readonly<Record<string, number>>,
): void {
  const names = Object.keys(believed)
  const added = names.filter((currency) => own[currency] === undefined).length
  const changed = names.filter(
    (currency) => own[currency] !== undefined && own[currency] !== believed[currency],
  ).length
  verdict.added += added
  verdict.changed += changed
  verdict.confirmed += Object.keys(read).filter((currency) => own[currency] === read[currency]).length
  if (added + changed > 0) verdict.days.push({ day, rates: believed })
}

type ReadValue = { day: string; currency: string; value: number; own: number | null }

/** Why a value is not believed yet; null: it is believed. `refused`: a person has refused it before. */
function holdOf(
  series: RateSeries,
  { day, currency, value, own }: ReadValue,
  last: ReadonlyMap<string, { day: string; value: number }>,
  { day: today, accept, earlier }: SeriesJudging,
): HeldRate | 'refused' | null {
  if (value === own) return null
  const before = last.get(currency) ?? null
  const far = moved(before, value) > series.move_max
  if (own === null && !far) return null
  const subject = `${currency} of ${day}`
  const known = earlier(subject, shownRate(value))
  const reason =
    own === null
      ? `was ${shownRate(before?.value ?? 0)} on ${before?.day ?? ''}, a far move`
      : `was published as ${shownRate(own)} before`
  const held = (status: HeldRate['status'], wait: string): HeldRate => ({
    subject,
    value: shownRate(value),
    status,
    why: `${reason}: ${wait}`,
  })
  if (known?.refused === true) return 'refused'
  if (accept) return null
  if (far && Object.hasOwn(series.expected, currency)) return held('open', 'needs a person')
  return known !== null && known.first_day < today ? null : held('waiting', 'waits for a second day')
}

function moved(before: Before, value: number): number {
  return before === null ? 0 : Math.max(value / before.value, before.value / value) - 1
}

/** `1.0812` for 1,081,200 millionths, as a source writes it. */
export function shownRate(millionths: number): string {
  return String(millionths / 1_000_000)
}

function refuseImpossible(
  series: RateSeries,
  stored: readonly PublishedRates[],
  found: readonly PublishedRates[],
  { day: today, accept }: SeriesJudging,
): void {
  const fail = (message: string): never => {
    throw new ParseError(series.part, message)
  }
  const days = found.map(({ day }) => day).toSorted()
  const newest = days.at(-1) ?? ''
  if (new Set(days).size < days.length) fail('two sets of rates for one day')
  if (newest > series.newest_to(today)) fail(`the document speaks of ${newest}, which is after ${today}`)
  if (newest < series.newest_from(today)) fail(`the newest rates are of ${newest || 'no day'}, not of now`)
  const last = stored.map(({ day }) => day).findLast((day) => day <= today) ?? ''
  if (newest < last) fail(`the newest rates are of ${newest}, older than those on file: it is an old copy`)
  const known = new Map(stored.map((each) => [each.day, each.rates]))
  const lacking = stored.filter(({ day }) => day > (days[0] ?? '') && day < newest && !days.includes(day))
  if (lacking.length > 0 && series.whole === true) fail(`${lacking[0]?.day} is on file and is gone`)
  const republished = found.flatMap(({ day, rates }) => {
    const before = known.get(day) ?? {}
    return Object.keys(rates).filter((name) => (before[name] ?? rates[name]) !== rates[name])
  })
  if (republished.length > REPUBLISHED_MAX && !accept)
    fail(`${republished.length} rates differ from those published before: two columns may be exchanged`)
  for (const { day, rates } of found) {
    const gone = Object.keys(known.get(day) ?? {}).filter((currency) => rates[currency] === undefined)
    // A source may end a currency with all of its history: then a person accepts the document.
    if (gone.length > 0 && !accept)
      fail(`the rates of ${gone.slice(0, 5).join(', ')} on ${day} are on file and are gone`)
    for (const [currency, range] of Object.entries(series.expected)) {
      const value = rates[currency]
      if (value === undefined && day === newest) fail(`${currency} on ${day} is missing`)
      if (value !== undefined && (value < range[0] || value > range[1]))
        fail(`${currency} on ${day} is out of bounds: ${shownRate(value)}`)
    }
  }
}
