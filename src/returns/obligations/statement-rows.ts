import type { BooksDb } from '../../platform/database/databases.ts'
import { monthOf } from '../../platform/kit/calendar.ts'
import { groupInDomesticReturn } from '../filing/eu-domestic.ts'
import type { DueReturn, FilingRegistration } from './due-returns.ts'
import { statementPlace } from './filing-calendar.ts'
import { readListedSales } from './store.ts'

/** Whose sales are looked for, and the registrations of the account. */
type SellerOfStatements = {
  account_id: string
  country: string | null
  registrations: readonly FilingRegistration[]
}

/** What a recapitulative statement lists: goods to another state, and services that are taxed there. */
const LISTED = new Set(['intra_union_goods', 'union_services'])

/**
 * Returns a function that says whether a recapitulative statement has rows: whether the return of its state
 * declares such supplies in its period. Nothing is read for an account without such a state.
 */
export async function readHasRows(
  books: BooksDb,
  { account_id, country, registrations }: SellerOfStatements,
  since: string,
): Promise<(due: DueReturn) => boolean> {
  const states = registrations.flatMap(({ jurisdiction_id }) =>
    jurisdiction_id === null || statementPlace(jurisdiction_id) === null ? [] : [jurisdiction_id],
  )
  if (states.length === 0) return () => false
  const sales = await readListedSales(books, account_id, since)
  const months = new Map(
    states.map((state) => {
      const own = sales.filter((row) => LISTED.has(groupInDomesticReturn(state, row, country) ?? ''))
      return [state, own.map(({ month }) => month)]
    }),
  )
  return ({ registration, from_date, to_date }) =>
    (months.get(registration.jurisdiction_id ?? '') ?? []).some(
      (month) => month >= monthOf(from_date) && month <= monthOf(to_date),
    )
}
