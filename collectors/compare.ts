import type { Verification } from '../src/engine/book/facts.ts'
import type { RateBook } from '../src/engine/book/rate-book.ts'
import { dayBefore, dayOf } from '../src/platform/kit/calendar.ts'
import { sourceKindOf } from '../src/tax-data/records/source-kind.ts'
import { type Finding, ParseError } from './collector.ts'
import type { Sourced } from './gather.ts'
import {
  announcedAfter,
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

/**
 * The facts that findings confirm, and the changes that findings propose. `unlikely`: why the document may be
 * an old copy, so that a person has to look before anything of it is believed.
 */
export type Comparison = { confirmed: Fact[]; changes: Change[]; unlikely: string[] }

/** The days of a comparison: today, and the day on which a finding was first read. */
type Days = { now: Date; first_seen: (finding: Finding) => string | null }

/**
 * Compares findings with the facts in force. A finding that says the same confirms the fact. Another one
 * begins a new period, on the day that the source gives or on the day of the first reading. Pure. Facts
 * without a finding stay as they are, and get stale. A document that is older than the last one that was read
 * never changes a fact, unless the fact was believed from this very source: then the source takes it back. An
 * announcement that the source withdrew carries a doubt. Throws ParseError for an announced change whose day
 * was moved: a person has to look.
 */
export function compare(book: RateBook, findings: readonly Sourced[], days: Days): Comparison {
  const comparison: Comparison = { confirmed: [], changes: [], unlikely: [] }
  for (const finding of findings) compareOne(book, finding, days, comparison)
  comparison.changes.push(...withdrawn(book, findings, days))
  return comparison
}

function compareOne(book: RateBook, finding: Sourced, { now, first_seen }: Days, into: Comparison): void {
  const day = dayOf(now)
  const stated = finding.effective_from
  // An announced change is looked up on its own day: once it is stored, it is confirmed.
  const announced = stated !== null && stated > day
  const before = findInForce(book, finding, announced ? stated : day)
  const began = before?.effective_from ?? ''
  // A table of July does not contradict a rate that began in October, unless October was read in that table.
  if (before !== null && !announced && began > (finding.as_of ?? day)) {
    if (believedFrom(before, finding)) takeBack(book, finding, before, now, into)
    return
  }
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
    into.unlikely.push(...unedited(finding, before, announced))
    into.changes.push({ finding, before: known, after: successor(before, finding, from, now) })
  } else if (announced && began > day && began !== stated)
    throw new ParseError(
      finding.from.source_url,
      `${subjectOf(finding)} was announced from ${began}, and is now said to change on ${stated}`,
    )
  else into.confirmed.push(confirmedBy(finding, known, now))
}

/** Whether a fact was taken from this source, when its document spoke of the same time or an earlier one. */
function believedFrom(before: Fact['fact'], { from, as_of = '' }: Sourced): boolean {
  return before.source === from.source && before.as_of !== undefined && before.as_of <= as_of
}

/**
 * What a source says of the time in which a fact was believed from it. A return to the value before follows
 * the usual rules, and holds from the first day of the wrong value. Any other value needs a person.
 */
function takeBack(book: RateBook, finding: Sourced, before: Fact['fact'], now: Date, into: Comparison): void {
  const known = tagged(finding.kind, before)
  if (saysTheSame(before, finding)) {
    into.confirmed.push(confirmedBy(finding, known, now))
    return
  }
  const began = before.effective_from ?? dayOf(now)
  const earlier = findInForce(book, finding, dayBefore(began))
  const returns = earlier !== null && saysTheSame(earlier, finding)
  const doubt = finding.doubt ?? `the source said something else when this was believed from ${began}`
  const taken = returns ? finding : { ...finding, doubt }
  into.changes.push({ finding: taken, before: known, after: successor(before, finding, began, now) })
}

/**
 * Announced facts that their own source does not announce any more: the value in force is proposed for their
 * day, and a person decides.
 */
function withdrawn(book: RateBook, findings: readonly Sourced[], { now }: Days): Change[] {
  const day = dayOf(now)
  const subjects = Map.groupBy(findings, subjectOf)
  return [...subjects.values()].flatMap((said): Change[] => {
    const today = said.find(
      ({ effective_from, doubt }) => (effective_from ?? '') <= day && doubt === undefined,
    )
    const later = today === undefined ? null : announcedAfter(book, today, day)
    if (today === undefined || later === null || later.effective_from === null) return []
    const from = later.effective_from
    const named = said.some(({ effective_from }) => (effective_from ?? '') > day)
    if (named || later.source !== today.from.source || saysTheSame(later, today)) return []
    const doubt = `was announced from ${from}, and the source does not announce it any more`
    const after = successor(later, today, from, now)
    return [{ finding: { ...today, doubt }, before: tagged(today.kind, later), after }]
  })
}

/** A page that was last edited before the fact was verified cannot say anything new: it is an old copy. */
function unedited(
  finding: Sourced,
  before: Verification & { last_verified_at: string | null; effective_from: string | null },
  announced: boolean,
): string[] {
  const { edited } = finding
  const verified = before.last_verified_at?.slice(0, 10) ?? ''
  const began = before.effective_from ?? ''
  const last = before.as_of ?? (verified > began ? verified : began)
  if (edited === undefined || announced || edited > last || (edited === last && verified === last)) return []
  return [
    `${finding.from.source_url}: was last edited on ${edited}, but says something new about ` +
      `${subjectOf(finding)}, which was verified for ${last}: it is an old copy, or was edited in silence`,
  ]
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
    source_kind: sourceKindOf(finding.from),
    ...(as_of !== undefined && { as_of }),
  }
}
