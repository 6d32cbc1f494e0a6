import type { BooksDb } from '../../platform/database/databases.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { readValidBefore, waitForChecks } from './vat-validations-store.ts'

const VALID_DAYS = 30
/** An authority that gave no answer for a day is asked again after a week. */
const UNANSWERED_DAYS = 7
/** The sweep asks about 100 in five minutes, so this many take less than two hours. */
const CHECKS_MAX = 2_000

/**
 * Marks the VAT ids of a shard that were found valid over 30 days ago for a new check, the oldest first. The
 * sweep asks the authorities. If an id is no longer valid, the account gets the event `vat_id.changed`.
 */
export async function checkVatIdsAgain(books: BooksDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - VALID_DAYS * DAY_MS).toISOString()
  const unanswered_since = new Date(now.getTime() - UNANSWERED_DAYS * DAY_MS).toISOString()
  const customers = await readValidBefore(books, { before, unanswered_since }, CHECKS_MAX)
  if (customers.length > 0) await books.batch(waitForChecks(books, customers, now))
}
