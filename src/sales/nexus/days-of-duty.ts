import { dayAfter } from '../../platform/kit/calendar.ts'
import { heldOn } from '../../parties/accounts/established-on.ts'
import type { MeasuredThreshold } from './exposures.ts'
import type { Window } from './measurement-period.ts'

type Obliging = Pick<MeasuredThreshold, 'presence'> & {
  /** When sales passed the threshold; null: they have not. */
  exceeded_on: string | null
}

/** Why the seller has to collect on a day, and since when: physical presence, or a passed threshold. */
export function nexusOn(
  { presence, exceeded_on }: Obliging,
  exceeded: boolean,
  day: string,
): { kind: 'physical' | 'economic' | null; since: string | null } {
  const begun = heldOn(presence, day).map(({ from }) => from)
  const [physical = null] = begun.toSorted()
  if (physical !== null && (exceeded_on === null || physical <= exceeded_on))
    return { kind: 'physical', since: physical }
  return exceeded ? { kind: 'economic', since: exceeded_on } : { kind: null, since: null }
}

/** The days until a day on which sales bore a duty, each once, the earliest first. */
export function daysOfDuty({ presence, exceeded_on }: Obliging, day: string): Window[] {
  const all = [
    ...presence.map(({ from, to }) => ({ from, to: to === null || to > day ? day : to })),
    ...(exceeded_on === null ? [] : [{ from: exceeded_on, to: day }]),
  ].toSorted((one, other) => (one.from < other.from ? -1 : 1))
  const joined: Window[] = []
  for (const { from, to } of all) {
    const last = joined.at(-1)
    if (last === undefined || from > dayAfter(last.to)) joined.push({ from, to })
    else if (to > last.to) last.to = to
  }
  return joined
}
