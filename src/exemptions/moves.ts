import { fieldError } from '../errors.ts'

export const EXEMPTION_STATUSES = ['pending', 'verified', 'rejected', 'expired'] as const
type ExemptionStatus = (typeof EXEMPTION_STATUSES)[number]

/** The status that each may move to. */
const MOVES: Readonly<Record<ExemptionStatus, readonly ExemptionStatus[]>> = {
  pending: ['verified', 'rejected', 'expired'],
  verified: ['rejected', 'expired'],
  rejected: ['pending'],
  expired: ['pending'],
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
