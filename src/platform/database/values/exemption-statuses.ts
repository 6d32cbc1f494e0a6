import { dayBefore } from '../../kit/calendar.ts'
import { fieldError } from '../../errors.ts'

export const EXEMPTION_STATUSES = ['pending', 'verified', 'rejected', 'expired'] as const
type ExemptionStatus = (typeof EXEMPTION_STATUSES)[number]

/** The status that each may move to. */
const MOVES: Readonly<Record<ExemptionStatus, readonly ExemptionStatus[]>> = {
  pending: ['verified', 'rejected', 'expired'],
  verified: ['rejected', 'expired'],
  rejected: ['pending'],
  expired: ['pending'],
}

type Ended = { status: ExemptionStatus; valid_to: string | null; ended_on: string | null }

/**
 * The last day on which an expired certificate frees sales: a sale of its period may be recorded later. One
 * that a person ends frees no sale of `today`. Null: it is not expired, or was never verified.
 */
export function endedOn(before: Ended, after: Omit<Ended, 'ended_on'>, today: string): string | null {
  if (after.status === before.status) return before.ended_on
  if (before.status !== 'verified' || after.status !== 'expired') return null
  const yesterday = dayBefore(today)
  return after.valid_to !== null && after.valid_to < yesterday ? after.valid_to : yesterday
}

/** Throws illegal_status_change. To stay is no move. */
export function checkMove(from: ExemptionStatus, to: ExemptionStatus): void {
  if (from !== to && !MOVES[from].includes(to)) {
    throw fieldError(
      'illegal_status_change',
      'status',
      `cannot move from ${from} to ${to}, only to ${MOVES[from].join(', ')}`,
    )
  }
}
