import { dayBefore } from '../src/platform/kit/calendar.ts'
import type { Threshold } from '../src/engine/book/facts.ts'
import { DAY_WRITTEN, writtenDay } from './dates.ts'
import { amountOfMoney } from './figures.ts'

/** An economic nexus test; amount in cents. All null: there is none. */
export type NexusTest = {
  amount: number | null
  transaction_count: number | null
  combinator: Threshold['combinator']
}

/** A test with its first and last day; null if the wording names no day. */
type Period = { from: string | null; to: string | null; test: NexusTest }

/** The test of today and those of later days, as a cell says them. `from`: the first day that it names. */
type Nexus = {
  now: { from: string | null; test: NexusTest } | null
  later: { from: string; test: NexusTest }[]
}

const REMOVED = /\b(remov|eliminat|repeal|abolish|no longer)/i
const NONE = /^(no (general |state ?)?sales tax|no economic nexus|none|not applicable|n\/a)\b/i
const COUNTS_KNOWN = [100, 200]

/**
 * Reads a cell of a chart of the states' thresholds: `$100,000 or 200 transactions`, `$250,000 + specified
 * activities`, `$200,000 in 2019; $150,000 in 2020; and $100,000 in 2021 and thereafter`, `12/1/2018-4/1/2019
 * – $100,000 or 200 transactions`, `*Alaska removed their 200 transactions threshold effective January 1,
 * 2025`. A cell can have old tests beside those in force, so each clause is read alone, with its days. A test
 * is never guessed: throws an Error that says what is not clear.
 */
export function readNexus(lines: readonly string[], day: string): Nexus {
  const periods: Period[] = []
  const removals: (string | null)[] = []
  for (const clause of lines.flatMap(nexusClauses)) {
    if (REMOVED.test(clause)) removals.push(dayIn(clause, '.*?'))
    else {
      const period = readClause(clause)
      if (period !== null) periods.push(period)
    }
  }
  return withRemovals(currentNexus(periods, day), removals, day)
}

/** The clauses of a line: sentences, parts between semicolons, and removals in brackets or after a dash. */
function nexusClauses(line: string): string[] {
  const bracketed: string[] = []
  const rest = line.replaceAll(/\(([^)]*)\)/g, (whole, inner: string) => {
    if (!REMOVED.test(inner)) return whole
    bracketed.push(inner)
    return ''
  })
  return [
    ...rest.split(/;|\.\s+(?=[A-Z*$])|\s[-–—]\s(?=[^;]*?\b(?:remov|eliminat|repeal|abolish))/),
    ...bracketed,
  ]
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
}

function readClause(clause: string): Period | null {
  if (NONE.test(clause))
    return { from: null, to: null, test: { amount: null, transaction_count: null, combinator: null } }
  const test = readTest(clause)
  if (test === null) return null
  const days = daysOf(clause)
  if (days.from === null && days.to === null && new RegExp(DAY_WRITTEN).test(clause))
    throw new Error(`looked for what the day means in "${clause}"`)
  return { ...days, test }
}

const COUNT =
  /\b(or|and)\s+(?:more than\s+|at least\s+)?(\d[\d,]*)\s+(?:or more\s+)?(?:[a-z]+\s+)?(?:transactions|sales)\b/i

function readTest(clause: string): NexusTest | null {
  const amounts = [...clause.matchAll(/\$\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:million|k)\b)?/gi)]
  const [amount] = amounts
  if (amount === undefined) {
    if (/transaction|separate sale/i.test(clause)) throw new Error(`looked for an amount in "${clause}"`)
    return null
  }
  const cents = amountOfMoney(amount[0])
  if (amounts.length > 1 || cents === null) throw new Error(`looked for one amount in "${clause}"`)
  const rest = clause.slice(amount.index + amount[0].length)
  const count = COUNT.exec(rest)
  if (count === null) {
    if (/transaction|\b(or|and) \w+ (separate )?sales\b/i.test(clause))
      throw new Error(`looked for a number of transactions in "${clause}"`)
    return { amount: cents, transaction_count: null, combinator: null }
  }
  const transaction_count = Number((count[2] ?? '').replaceAll(',', ''))
  if (!COUNTS_KNOWN.includes(transaction_count))
    throw new Error(`does not believe ${transaction_count} transactions in "${clause}"`)
  return { amount: cents, transaction_count, combinator: /and/i.test(count[1] ?? '') ? 'and' : 'or' }
}

function daysOf(clause: string): Pick<Period, 'from' | 'to'> {
  const range = new RegExp(String.raw`(${DAY_WRITTEN})\s?(?:-|–|—|to|through)\s?(${DAY_WRITTEN})`).exec(
    clause,
  )
  if (range !== null) return { from: writtenDay(range[1] ?? ''), to: writtenDay(range[2] ?? '') }
  const since = /\b(?:in|from) (\d{4}) and (?:thereafter|after|later)/i.exec(clause)
  if (since !== null) return { from: `${since[1]}-01-01`, to: null }
  const year = /\bin (\d{4})\b/i.exec(clause)
  if (year !== null) return { from: `${year[1]}-01-01`, to: `${year[1]}-12-31` }
  const before = dayIn(clause, 'prior to|before')
  return {
    from: dayIn(clause, 'effective(?: on)?|beginning|starting|on or after|since|from|as of'),
    to: before === null ? dayIn(clause, 'through|until') : dayBefore(before),
  }
}

function dayIn(clause: string, words: string): string | null {
  return writtenDay(new RegExp(String.raw`(?:${words}):?\s?(${DAY_WRITTEN})`, 'i').exec(clause)?.[1] ?? '')
}

/**
 * The test in force today, and later ones. If several apply today, the one with the latest first day counts.
 */
function currentNexus(periods: readonly Period[], day: string): Nexus {
  const today = periods.filter(({ from, to }) => (from ?? '') <= day && day <= (to ?? '9999'))
  const latest = today
    .map(({ from }) => from ?? '')
    .toSorted()
    .at(-1)
  const [now, another] = today.filter(({ from }) => (from ?? '') === latest)
  if (another !== undefined) throw new Error('looked for one threshold that holds today and found two')
  const later = periods.flatMap(({ from, test }) => (from !== null && from > day ? [{ from, test }] : []))
  if (now === undefined && later.length === 0) throw new Error('looked for a threshold that holds today')
  return { now: now === undefined ? null : { from: now.from, test: now.test }, later }
}

/** From the day of a removal on, only the amount counts. A removal in the future is an announced change. */
function withRemovals({ now, later }: Nexus, removals: readonly (string | null)[], day: string): Nexus {
  if (removals.length === 0 || now === null) return { now, later }
  const from =
    removals
      .map((removal) => removal ?? '')
      .toSorted()
      .at(-1) ?? ''
  const alone = { ...now.test, transaction_count: null, combinator: null }
  if (from > day)
    // If the cell no longer has the number of transactions, the test until that day is unknown.
    return { now: now.test.transaction_count === null ? null : now, later: [...later, { from, test: alone }] }
  if (now.test.transaction_count !== null)
    throw new Error('names a number of transactions, and says that it was removed')
  return { now: { from: from === '' ? now.from : from, test: now.test }, later }
}
