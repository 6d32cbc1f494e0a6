import { daysAfter, dayOf } from '../../platform/kit/calendar.ts'
import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import type { DueReturn } from './due-returns.ts'
import { isReturnFiled } from './filed.ts'
import { type FiledPeriod, readFirstDays } from './store.ts'

/** Thirteen months: what is older can be cleared by filing alone, and imported books may have years of it. */
const OLDEST_DAYS = 400

/** The first due date of returns that can be open. */
export function oldestDueDate(today: string): string {
  return daysAfter(today, -OLDEST_DAYS)
}

/**
 * The day on which the books of accounts begin: that of their first sale, or that on which the account was
 * made, if it is earlier. What was due for the days before was filed elsewhere.
 */
export async function readBooksBegin(
  control: ControlDb,
  books: BooksDb,
  account_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { made, sold } = await readFirstDays(control, books, account_ids)
  const sales = new Map(sold.map(({ account_id, day }) => [account_id, day]))
  return new Map(
    made.map(({ id, created_at }) => {
      const [day, first] = [dayOf(new Date(created_at)), sales.get(id) ?? null]
      return [id, first !== null && first < day ? first : day]
    }),
  )
}

/**
 * Whether a return is still to be filed: it has days since the begin of the books, and the tax office has no
 * return of them. Only the bound of the list ends that. All views of what is open ask this function.
 */
export function isOpen(due: DueReturn, filed: readonly FiledPeriod[], books_begin: string): boolean {
  return due.to_date >= books_begin && !isReturnFiled(due, filed)
}
