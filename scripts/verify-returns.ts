import type { BooksDb } from '../src/platform/database/databases.ts'
import { verifyReturns } from './verify/returns.ts'
import { CHECK_OPTIONS, checkEachAccount } from './each-account.ts'
import { readOptions } from './options.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Checks the filed returns of one account, or of all accounts: hashes, chain, and the lines behind them in
 * the books. Exits with 1 if anything differs.
 */
const names = { accounts: 'accounts with filed returns', faults: 'faults' }
await checkEachAccount(readOptions(CHECK_OPTIONS), names, async ({ id, books, ...bound }) => {
  if (!(await whileBusy(() => hasReturns(books, id)))) return null
  const faults = await whileBusy(() => verifyReturns(books, id, bound))
  for (const { return_id, message } of faults) console.log(`${id} ${return_id}: ${message}`)
  return faults.length
})

async function hasReturns(books: BooksDb, account_id: string): Promise<boolean> {
  return (
    (await books.prepare('SELECT 1 FROM returns WHERE account_id = ? LIMIT 1').bind(account_id).first()) !==
    null
  )
}
