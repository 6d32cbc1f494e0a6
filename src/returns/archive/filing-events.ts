import type { ReturnRow } from './returns-store.ts'

/** What the audit log says of a return: the hash with which it was filed, and whether it was reopened. */
export type FilingEvents = { filed: { hash: string | null; at: string } | null; reopened: boolean }

/**
 * What differs between a return and its events in the audit log, which are sealed. `erased`: the log of the
 * account lost events at the end of their retention, so a missing event says nothing.
 */
export function faultsOfEvents(
  row: Pick<ReturnRow, 'status' | 'hash'>,
  { filed, reopened }: FilingEvents,
  erased: boolean,
): string[] {
  const faults: string[] = []
  if (filed === null && !erased) faults.push('The audit log has no event of its filing')
  if (filed !== null && filed.hash !== null && filed.hash !== row.hash)
    faults.push('Its hash is not the one that the audit log has of its filing')
  if (row.status === 'reopened' && !reopened && !erased)
    faults.push('It counts as reopened, but the audit log has no such event')
  if (row.status === 'filed' && reopened)
    faults.push('It counts as filed, but the audit log says that it was reopened')
  return faults
}
