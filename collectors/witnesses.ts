import type { Finding, Part } from './collector.ts'
import type { Change } from './compare.ts'
import type { Agreeing, Sourced } from './gather.ts'
import { shownValue, subjectOf, valueOf } from './kinds.ts'

/** The most that a rate may move at once without a person, millionths: 5 points. */
const MOVE_MAX = 50_000
/** A threshold may at most double or halve at once without a person. */
const FACTOR_MAX = 2

/** A source that says something, and the first day on which it did. */
export type Witness = { source: string; day: string }

/** A change that is not applied, and why. `waiting`: for a second witness. `open`: for a person. */
export type Held = { change: Change; status: 'waiting' | 'open'; why: string; witnesses: Witness[] }

/**
 * What is known about a reading before this run: its witnesses (empty for a new reading), and whether it was
 * left to a person.
 */
export type Earlier = (finding: Finding) => { witnesses: readonly Witness[]; open: boolean }

/**
 * Decides about a change: null if it can be applied. A change needs a second source that says the same, or
 * the same reading on another day without a source that contradicts it. A large or unusual change needs a
 * person. If a change once needed a person, it still does after the
 * contradicting source cannot be read any more. Pure.
 */
export function holdOf(
  { bounds }: Part,
  change: Change,
  others: readonly Sourced[],
  earlier: Earlier,
  day: string,
): Held | null {
  const { finding } = change
  const about = others.filter((each) => subjectOf(each) === subjectOf(finding))
  // A table of July is no witness of what changed after October.
  const began = change.before?.fact.effective_from ?? ''
  const speaksOfNow = (each: Pick<Agreeing, 'as_of' | 'edited'>) =>
    (each.as_of ?? each.edited ?? day) >= began
  const agreeing = about
    .filter((each) => saysTheSameAs(each, finding) && speaksOfNow(each))
    .map(({ from }) => from.source)
  const agreed = (finding.agreed ?? []).filter(speaksOfNow).map(({ source }) => source)
  const saying = new Set([finding.from.source, ...agreed, ...agreeing])
  const known = earlier(finding)
  const witnesses = witnessesOf(known.witnesses, saying, day)
  const why = finding.doubt ?? unusual(change, bounds.move ?? MOVE_MAX) ?? bounds.person?.(finding)
  if (typeof why === 'string') return { change, status: 'open', why, witnesses }
  const against = about.find((each) => contradicts(each, finding, day))
  if (against !== undefined) return { change, status: 'open', why: contradictionOf(against), witnesses }
  if (saying.size > 1) return null
  if (known.open) return { change, status: 'open', why: 'was doubted before, so a person decides', witnesses }
  if (witnesses.some((each) => each.day < day)) return null
  return { change, status: 'waiting', why: 'waits for a second source or a second day', witnesses }
}

/** The earlier witnesses, and those of today that are new. */
function witnessesOf(earlier: readonly Witness[], saying: ReadonlySet<string>, day: string): Witness[] {
  const known = new Set(earlier.map(({ source }) => source))
  return [
    ...earlier,
    ...[...saying].filter((source) => !known.has(source)).map((source) => ({ source, day })),
  ]
}

function saysTheSameAs(other: Sourced, finding: Sourced): boolean {
  return (
    valueOf(other) === valueOf(finding) &&
    (isAnnounced(finding) ? other.effective_from === finding.effective_from : true)
  )

  function isAnnounced({ effective_from }: Finding): boolean {
    return effective_from !== null && effective_from > (other.as_of ?? other.edited ?? '')
  }
}

/** `GOV.UK says 20 %: "Standard rate 20%"`. */
function contradictionOf(against: Sourced): string {
  const said = shownValue(against.kind, against as never)
  return `${against.from.source} says ${said}: "${against.evidence.slice(0, 120)}"`
}

/** Another source speaks against a change if it speaks of the same time or later, and says another value. */
function contradicts(other: Sourced, finding: Sourced, day: string): boolean {
  if (valueOf(other) === valueOf(finding)) return false
  const begins = finding.effective_from ?? finding.as_of ?? finding.edited ?? day
  if (other.effective_from !== null && other.effective_from > begins) return false
  return (other.as_of ?? other.edited ?? day) >= begins
}

/** Why a change is so unusual that a person has to look; undefined if it is not. */
function unusual({ before, finding }: Change, move_max: number): string | undefined {
  if (before === null) return 'is not on file'
  if (before.kind === 'rates' && finding.kind === 'rates') {
    const moved = Math.abs(finding.rate_millionths - before.fact.rate_millionths)
    if (moved > move_max) return `moved by more than ${move_max / 10_000} points`
  }
  if (before.kind === 'thresholds' && finding.kind === 'thresholds') {
    const [from, to] = [before.fact.amount, finding.amount]
    if (from === null || to === null) return from === to ? undefined : 'begins or ends'
    if (to > from * FACTOR_MAX || to * FACTOR_MAX < from)
      return 'more than doubled, or fell by more than half'
  }
  return undefined
}
