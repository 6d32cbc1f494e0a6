import { dayBefore } from '../../platform/kit/calendar.ts'

/** A period of days, both ends included; null is open. */
type Period = { effective_from: string | null; effective_to: string | null }

/** A period with its new last day. */
type Closing<P extends Period> = { period: P; effective_to: string }

/**
 * The periods of one subject that do not end before the next one begins, if either of the two is new. Pure.
 */
export function periodsToClose<P extends Period>(
  periods: readonly P[],
  isNew: (period: P) => boolean,
): Closing<P>[] {
  const ordered = periods.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
  return ordered.flatMap((period, index) => {
    const next = ordered[index + 1]
    if (next === undefined || !(isNew(period) || isNew(next))) return []
    const closed = (period.effective_to ?? '9999') < startOf(next)
    return closed ? [] : [{ period, effective_to: dayBefore(startOf(next)) }]
  })
}

function startOf({ effective_from }: Period): string {
  return effective_from ?? ''
}
