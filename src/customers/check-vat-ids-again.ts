import type { BooksDb } from '../database/databases.ts'
import { DAY_MS } from '../calendar.ts'
import { readValidBefore, waitForChecks } from './vat-validations-store.ts'

const VALID_DAYS = 30
/** An authority that gave no answer for a day is asked again after a week. */
const UNANSWERED_DAYS = 7
/** The sweep asks about 100 in five minutes, so these take less than two hours. */
const CHECKS_MAX = 2_000

/**
 * Lets the VAT ids of a shard that were valid 30 days ago be checked again, the oldest first. The sweep asks
 * the authorities, and `vat_id.changed` tells the account if one is no longer valid.
 */
export async function checkVatIdsAgain(books: BooksDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - VALID_DAYS * DAY_MS).toISOString()
  const unanswered_since = new Date(now.getTime() - UNANSWERED_DAYS * DAY_MS).toISOString()
  const customers = await readValidBefore(books, { before, unanswered_since }, CHECKS_MAX)
  if (customers.length > 0) await books.batch(waitForChecks(books, customers, now))
}
