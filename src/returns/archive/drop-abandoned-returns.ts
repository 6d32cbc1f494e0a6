import type { BooksDb } from '../../platform/database/databases.ts'
import { eachApart } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { dropHalfFrozen, readAbandonedReturns } from './returns-store.ts'

/** Longer than a freeze takes. One that takes longer yet is told, and begins again. */
const ABANDONED_MS = 600_000

/** Drops the returns that a crash left half frozen. They never counted. */
export async function dropAbandonedReturns(books: BooksDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_MS).toISOString()
  await eachApart(
    await readAbandonedReturns(books, before),
    ({ id, account_id }) => dropHalfFrozen(books, account_id, id),
    ({ id, account_id }, thrown) =>
      logFault({ job: 'dropAbandonedReturns', account_id, return_id: id }, thrown),
  )
}
