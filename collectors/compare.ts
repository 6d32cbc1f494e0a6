import type { Verification } from '../src/tax/book/facts.ts'
import type { RateBook } from '../src/tax/book/rate-book.ts'
import { type Finding, ParseError } from './collector.ts'
import type { Sourced } from './gather.ts'
import {
  type CollectedKind,
  type Fact,
  factOf,
  findInForce,
  type Origin,
  saysTheSame,
  subjectOf,
  successorOf,
} from './kinds.ts'

export type { Fact }

/**
 * A finding beside the fact that was in force before it; `before` is null if there was none. `after` is null
 * if the finding proposes nothing, such as a band that vanished.
 */
export type Change = { finding: Sourced; before: Fact | null; after: Fact | null }

/** The facts that findings confirm, and the changes that findings propose. */
export type Comparison = { confirmed: Fact[]; changes: Change[] }

/** The days of a comparison: today, and the day on which a finding was first read. */
export type Days = { now: Date; first_seen: (finding: Finding) => string | null }

/**
 * Compares findings with the facts in force. A finding that says the same confirms the fact. Another one
 * begins a new period, on the day that the source gives or on the day of the first reading. Pure. Facts
 * without a finding stay as they are, and get stale. A document that is older than the last one that was read
 * never changes a fact. Throws ParseError for a page that was not edited since and still says something new,
 * and for an announced change whose day was moved: a person has to look.
 */
export function compare(book: RateBook, findings: readonly Sourced[], days: Days): Comparison {
  const comparison: Comparison = { confirmed: [], changes: [] }
  for (const finding of findings) compareOne(book, finding, days, comparison)
  return comparison
}

function compareOne(book: RateBook, finding: Sourced, { now, first_seen }: Days, into: Comparison): void {
  const day = now.toISOString().slice(0, 10)
  const stated = finding.effective_from
  // An announced change is looked up on its own day: once it is stored, it is confirmed.
  const announced = stated !== null && stated > day
  const before = findInForce(book, finding, announced ? stated : day)
  const began = before?.effective_from ?? ''
  // A table of July does not contradict a rate that began in October.
  if (before !== null && !announced && began > (finding.as_of ?? day)) return
  const seen = first_seen(finding) ?? day
  const from = stated !== null && (announced || stated > began) ? stated : seen > began ? seen : day
  if (before === null) {
    const after = tagged(finding.kind, factOf(finding, from, originOf(finding, now)))
    into.changes.push({ finding, before, after })
    return
  }
  const known = tagged(finding.kind, before)
  if (finding.doubt !== undefined) {
    const after = saysTheSame(before, finding) ? null : successor(before, finding, from, now)
    into.changes.push({ finding, before: known, after })
  } else if (!saysTheSame(before, finding)) {
    if (!announced && (finding.as_of ?? day) < (before.as_of ?? '')) return
    refuseUnedited(finding, before, announced)
    into.changes.push({ finding, before: known, after: successor(before, finding, from, now) })
  } else if (announced && began > day && began !== stated)
    throw new ParseError(
      finding.from.source_url,
      `${subjectOf(finding)} was announced from ${began}, and is now said to change on ${stated}`,
    )
  else into.confirmed.push(confirmedBy(finding, known, now))
}

/**
 * A page that was last edited before the fact was verified cannot say anything new: it is an old copy. Throws
 * ParseError.
 */
function refuseUnedited(
  finding: Sourced,
  before: Verification & { last_verified_at: string | null; effective_from: string | null },
  announced: boolean,
): void {
  const { edited } = finding
  const verified = before.last_verified_at?.slice(0, 10) ?? ''
  const began = before.effective_from ?? ''
  const last = before.as_of ?? (verified > began ? verified : began)
  if (edited === undefined || announced || edited > last || (edited === last && verified === last)) return
  throw new ParseError(
    finding.from.source_url,
    `was last edited on ${edited}, but says something new about ${subjectOf(finding)}, ` +
      `which was verified for ${last}: it is an old copy`,
  )
}

/** The facts to be stored: each is verified now. The periods before a change end when it is applied. Pure. */
export function factsAfter(confirmed: readonly Fact[], applied: readonly Change[], now: Date): Fact[] {
  const befores = applied.flatMap(({ before, finding }) =>
    before === null ? [] : [confirmedBy(finding, before, now)],
  )
  const all = [...confirmed, ...befores, ...applied.flatMap(({ after }) => after ?? [])]
  return [...new Map(all.map((each) => [`${each.kind} ${each.fact.id}`, each])).values()]
}

/** The fact as it is, with the time since which a source contradicts it. */
export function doubted({ kind, fact }: Fact, since: string): Fact {
  return tagged(kind, { ...fact, doubted_since: fact.doubted_since ?? since })
}

/** The fact as it is, seen again. Its source stays the one that it was first taken from. */
function confirmedBy(finding: Sourced, { kind, fact }: Fact, now: Date): Fact {
  const { doubted_since: _, as_of: __, ...kept } = fact
  return tagged(kind, { ...kept, ...readingOf(finding, now) } as Fact['fact'])
}

function tagged(kind: CollectedKind, fact: Fact['fact']): Fact {
  return { kind, fact } as Fact
}

function successor(before: Fact['fact'], finding: Sourced, from: string, now: Date): Fact {
  // `before` was found by the kind of the finding, so it is a fact of that kind.
  return tagged(finding.kind, successorOf(before as never, finding, from, originOf(finding, now)))
}

function originOf(finding: Sourced, now: Date): Origin {
  const { source, source_url } = finding.from
  return { source, source_url, ...readingOf(finding, now), confidence: 'high', notes: null }
}

function readingOf(finding: Sourced, now: Date) {
  const as_of = finding.as_of ?? finding.edited
  return {
    last_verified_at: now.toISOString(),
    verified_by: `${finding.from.source} (${finding.from.source_url})`,
    ...(as_of !== undefined && { as_of }),
  }
}
