import type { RateBook } from '../src/tax/book/rate-book.ts'
import { type Finding, ParseError } from './collector.ts'
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

/** A finding beside the fact that was in force before it; `before` is null if there was none. */
export type Change = { finding: Finding; before: Fact | null; after: Fact }

/** What is to be stored: facts that were confirmed, and changes. */
export type Comparison = { confirmed: Fact[]; changed: Change[]; added: Change[] }

type Source = { source: string; source_url: string }

/**
 * Compares findings with the facts in force. A finding that says the same confirms the fact; a finding that
 * says something else begins a new period, on the day that the source gives or on the day of the reading.
 * Pure. Facts without a finding are left alone, and grow stale. Throws ParseError for a change that was
 * announced for one day and is now announced for a later one: a person has to look.
 */
export function compare(
  book: RateBook,
  findings: readonly (Finding & { from: Source })[],
  day: string,
  now: Date,
): Comparison {
  const comparison: Comparison = { confirmed: [], changed: [], added: [] }
  for (const finding of findings) {
    const stated = finding.effective_from
    // An announced change is looked up on its own day: once it is stored, it is confirmed.
    const announced = stated !== null && stated > day
    const before = findInForce(book, finding, announced ? stated : day)
    const began = before?.effective_from ?? ''
    // A table of July does not contradict a rate that began in October.
    if (before !== null && !announced && finding.as_of !== undefined && began > finding.as_of) continue
    const from = stated !== null && (announced || stated > began) ? stated : day
    const origin = originOf(finding.from, now)
    if (before === null) {
      const after = tagged(finding.kind, factOf(finding, from, origin))
      comparison.added.push({ finding, before, after })
    } else if (!saysTheSame(before, finding)) {
      const after = tagged(finding.kind, successorOf(before, finding, from, origin))
      comparison.changed.push({ finding, before: tagged(finding.kind, before), after })
    } else if (announced && began > day && began !== stated)
      throw new ParseError(
        finding.from.source_url,
        `${subjectOf(finding)} was announced from ${began}, and is now said to change on ${stated}`,
      )
    else comparison.confirmed.push(verified(tagged(finding.kind, before), now))
  }
  return comparison
}

/** The facts to be stored: each is verified now. The periods before a change end when it is applied. Pure. */
export function factsAfter({ confirmed, changed, added }: Comparison, now: Date): Fact[] {
  const changes = [...changed, ...added]
  const befores = changes.flatMap(({ before }) => (before === null ? [] : [verified(before, now)]))
  const all = [...confirmed, ...befores, ...changes.map(({ after }) => after)]
  return [...new Map(all.map((each) => [`${each.kind} ${each.fact.id}`, each])).values()]
}

/** The fact as it is, seen again. Its source stays the one that it was first taken from. */
function verified(before: Fact, now: Date): Fact {
  return tagged(before.kind, { ...before.fact, last_verified_at: now.toISOString() })
}

/** The kind names the type of the fact. */
function tagged(kind: CollectedKind, fact: Fact['fact']): Fact {
  return { kind, fact } as Fact
}

function originOf({ source, source_url }: Source, now: Date): Origin {
  return { source, source_url, last_verified_at: now.toISOString(), confidence: 'high', notes: null }
}
