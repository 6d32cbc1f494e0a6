import type { BooksDb } from '../../platform/database/databases.ts'
import { monthOf } from '../../platform/kit/calendar.ts'
import { groupInDomesticReturn } from '../forms/eu-domestic.ts'
import type { DueReturn, FilingRegistration } from './due-returns.ts'
import { statementPlace } from './filing-calendar.ts'
import { type ListedSales, readListedSales } from './store.ts'

/** What a recapitulative statement lists: goods to another state, and services that are taxed there. */
const LISTED = new Set(['intra_union_goods', 'union_services'])

/**
 * Returns a function that says whether a recapitulative statement has rows: whether the return of its state
 * declares such supplies in its period. Nothing is read for an account without such a state.
 */
export async function readHasRows(
  books: BooksDb,
  {
    account_id,
    country,
    registrations,
  }: { account_id: string; country: string | null; registrations: readonly FilingRegistration[] },
  since: string,
): Promise<(due: DueReturn) => boolean> {
  const some = registrations.some(({ jurisdiction_id }) => statementPlace(jurisdiction_id ?? '') !== null)
  const sales = some ? await readListedSales(books, [account_id], since) : []
  return (due) => hasRows(due, sales, country)
}

/** Whether the sales of an account have rows for a statement. `country` is that of the seller. */
export function hasRows(
  { registration, from_date, to_date }: DueReturn,
  sales: readonly ListedSales[],
  country: string | null,
): boolean {
  const state = registration.jurisdiction_id ?? ''
  return sales.some(
    (row) =>
      row.month >= monthOf(from_date) &&
      row.month <= monthOf(to_date) &&
      LISTED.has(groupInDomesticReturn(state, row, country) ?? ''),
  )
}
