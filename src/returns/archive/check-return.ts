import type { TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import { faultsOfEvents } from './filing-events.ts'
import type { EventsOfReturns } from './filing-events-store.ts'
import { hashOfReturn } from './hash-return.ts'
import { type Reconciled, reconcileReturn } from './reconcile.ts'
import type { ReturnRow } from './returns-store.ts'

/**
 * Checks a return: against its own hash, against the events of its filing in the audit log, and against the
 * books. `thorough`: see reconcileReturn. Throws concurrent_change if the books change all the time.
 */
export async function checkReturn(
  source: TotalsOf,
  row: ReturnRow,
  { byReturn, erased }: EventsOfReturns,
  { thorough = false }: { thorough?: boolean } = {},
): Promise<Reconciled> {
  const reconciled = await reconcileReturn(source, row, { thorough })
  const hashed = (await hashOfReturn(row)) === row.hash
  const faults = [
    ...(hashed ? [] : ['The return is not as it was filed']),
    ...faultsOfEvents(row, byReturn.get(row.id) ?? { filed: null, reopened: false }, erased),
    ...reconciled.faults,
  ]
  return { ...reconciled, faults }
}

/** Returns that the audit log says were filed, and that are not among all returns of the account. */
export function missingReturns(
  { byReturn }: EventsOfReturns,
  ids: ReadonlySet<string>,
): { return_id: string; hash: string | null; filed_at: string }[] {
  return [...byReturn].flatMap(([return_id, { filed }]) =>
    filed === null || ids.has(return_id) ? [] : [{ return_id, hash: filed.hash, filed_at: filed.at }],
  )
}
