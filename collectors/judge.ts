import { dayOf } from '../src/platform/kit/calendar.ts'
import type { ReviewStatus } from '../src/platform/database/values/review-statuses.ts'
import type { Jurisdiction } from '../src/engine/book/facts.ts'
import type { RateBook } from '../src/engine/book/rate-book.ts'
import { type Collector, type Finding, type LeftOut, ParseError } from './collector.ts'
import { leading } from './beside.ts'
import { impossibilities, implausibilities } from './checks.ts'
import { type Change, compare, type Comparison, type Fact } from './compare.ts'
import type { Fault, Gathered, Gathering, Sourced } from './gather.ts'
import { subjectOf, valueOf } from './kinds.ts'
import { newJurisdictions } from './new-jurisdictions.ts'
import { type Earlier, type Held, holdOf, type Witness } from './witnesses.ts'

/** A reading of an earlier run that was not applied; a person may have refused it. */
export type EarlierReading = {
  first_seen_at: string
  witnesses: readonly Witness[]
  status: ReviewStatus
}

/** What judging needs, beside the readings. `accept`: a person has looked and accepts every change. */
export type Judging = {
  book: RateBook
  now: Date
  accept: boolean
  earlier: ReadonlyMap<string, EarlierReading>
}

/** A believed part: the facts that it confirms, and the changes that are applied or have to wait. */
export type Judged = {
  part: string
  confirmed: Fact[]
  applied: Change[]
  held: Held[]
  jurisdictions: Jurisdiction[]
  documents: readonly string[]
  /** The readings of the part, by `readingKeyOf`: also those that change nothing. */
  said: ReadonlySet<string>
  /** Jurisdictions whose records could not be read, each as the fault that a person has to look at. */
  odd: Fault[]
}

/** A part that is not believed as a whole, with the changes that a person may still accept. */
export type Doubted = Fault & { held: Held[] }

/** What a run believes of its parts. */
export type Verdict = { judged: Judged[]; doubted: Doubted[] }

/** The key of a reading: its subject and its value. */
export function readingKeyOf(finding: Finding): string {
  return `${subjectOf(finding)}\n${saidBy(finding)}`
}

/** What a finding says, with the day that the source names. */
export function saidBy(finding: Finding): string {
  return [valueOf(finding), finding.effective_from ?? ''].join(' ').trim()
}

/** Decides for each part what is believed. If one part doubts a document, no part uses it. Pure. */
export function judge(
  collector: Collector,
  { gathered, faults }: Gathering,
  witnesses: ReadonlyMap<string, readonly Sourced[]>,
  judging: Judging,
): Verdict {
  const all = gathered.map((each) => judgePart(collector, each, witnesses.get(each.part.name) ?? [], judging))
  const doubted = [
    ...faults.map((fault): Doubted => ({ ...fault, held: [] })),
    ...all.flatMap((each) => ('error' in each ? [each] : [])),
  ]
  const hashes = new Set(doubted.flatMap((each) => each.doubted))
  const judged = all.flatMap((each) =>
    'error' in each || each.documents.some((hash) => hashes.has(hash)) ? [] : [each],
  )
  return { judged, doubted }
}

/** Whether a part contains a change, so that its witnesses have to be read. Never throws. */
export function hasChanges(each: Gathered, judging: Judging): boolean {
  try {
    return compareWith(each, judging).changes.length > 0
  } catch {
    return false
  }
}

function compareWith({ findings, beside }: Gathered, { book, now, earlier }: Judging): Comparison {
  const led = leading(findings, beside, dayOf(now))
  const first_seen = (finding: Finding) =>
    earlier.get(readingKeyOf(finding))?.first_seen_at.slice(0, 10) ?? null
  return compare(book, led, { now, first_seen })
}

function judgePart(
  collector: Collector,
  each: Gathered,
  others: readonly Sourced[],
  judging: Judging,
): Judged | Doubted {
  const { part } = each
  const { book, now, accept, earlier } = judging
  const day = dayOf(now)
  const led = leading(each.findings, each.beside, day)
  const documents = [...new Set(led.map((finding) => finding.document_hash))]
  const fault = faultMaker(each, documents)
  try {
    const wrong = impossibilities(part, led, each.left_out, day)
    if (wrong.length > 0) return { ...fault(wrong.join('; ')), held: [] }
    const jurisdictions = newJurisdictions(collector, led, book, now, accept)
    const { confirmed, changes, unlikely: old_copies } = compareWith(each, judging)
    const open = changes.filter(({ finding }) => earlier.get(readingKeyOf(finding))?.status !== 'refused')
    const earlierOf: Earlier = (finding) => {
      const known = earlier.get(readingKeyOf(finding))
      return { witnesses: known?.witnesses ?? [], open: known?.status === 'open' }
    }
    const judged = {
      part: part.name,
      confirmed,
      jurisdictions,
      documents,
      said: new Set(led.map(readingKeyOf)),
      odd: each.left_out.flatMap((record) => (record.kind === 'odd' ? oddFault(each, record, fault) : [])),
    }
    if (accept)
      return {
        ...judged,
        applied: open.filter(({ after }) => after !== null),
        held: open.filter(({ after }) => after === null).map((change) => heldFor(change, earlierOf, day)),
      }
    const unlikely = [...(open.length > 0 ? old_copies : []), ...implausibilities(part, led, open)]
    const holds = open.map((change) => ({
      change,
      held: holdOf(part, change, [...others, ...each.beside], earlierOf, day),
    }))
    if (unlikely.length > 0) {
      const why = unlikely.join('; ')
      const held = holds.map(({ change }) => ({ ...heldFor(change, earlierOf, day), why }))
      return { ...fault(why), held }
    }
    return {
      ...judged,
      applied: holds.flatMap(({ change, held }) => (held === null ? [change] : [])),
      held: holds.flatMap(({ held }) => held ?? []),
    }
  } catch (thrown) {
    if (thrown instanceof ParseError) return { ...fault(thrown.message), held: [] }
    throw thrown
  }
}

function heldFor(change: Change, earlierOf: Earlier, day: string): Held {
  const { finding } = change
  const known = earlierOf(finding).witnesses
  const source = finding.from.source
  const witnesses = known.some((each) => each.source === source) ? [...known] : [...known, { source, day }]
  return { change, status: 'open', why: finding.doubt ?? 'proposes nothing', witnesses }
}

/** The fault of one jurisdiction. It doubts no document, because the rest of the document is believed. */
function oddFault(
  { part }: Gathered,
  { jurisdiction_id, why }: LeftOut,
  fault: (error: string) => Fault,
): Fault {
  return { ...fault(why), differs: 'shape', part: `${part.name}: ${jurisdiction_id}`, doubted: [] }
}

function faultMaker({ part, findings, source }: Gathered, documents: readonly string[]) {
  return (error: string): Fault => ({
    part: part.name,
    outcome: 'quarantined',
    differs: 'content',
    error,
    doubted: documents,
    document: {
      source: source.source ?? part.name,
      url: findings[0]?.document_url ?? '',
      hash: findings[0]?.document_hash ?? '',
      excerpt: findings
        .slice(0, 20)
        .map(({ evidence }) => evidence.slice(0, 200))
        .join('\n'),
    },
  })
}
