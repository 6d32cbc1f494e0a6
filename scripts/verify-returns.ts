import { verifyReturns } from '../src/reports/returns/verify-returns.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'
import { shardNumbered } from './shard-sizes.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Checks the filed returns of one account, or of all accounts: hashes, chain, and the lines behind them in
 * the books. Exits with 1 if anything differs.
 */
const values = readOptions({
  account: { type: 'string' },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})

const { db, shards, dispose } = values.remote
  ? await openRemote(values.env)
  : await openLocal(values['persist-to'])
try {
  const accounts = await whileBusy(() =>
    db
      .prepare('SELECT id, shard FROM accounts WHERE ?1 IS NULL OR id = ?1 ORDER BY id')
      .bind(values.account ?? null)
      .all<{ id: string; shard: number }>(),
  )
  let count = 0
  let filed = 0
  for (const { id, shard } of accounts.results) {
    const { books } = shardNumbered(shards, shard)
    if (!(await whileBusy(() => hasReturns(books, id)))) continue
    filed += 1
    for (const { return_id, message } of await whileBusy(() => verifyReturns(books, id))) {
      count += 1
      console.log(`${id} ${return_id}: ${message}`)
    }
  }
  console.log(`${filed} accounts with filed returns, ${count} faults`)
  process.exitCode = count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}

async function hasReturns(books: D1Database, account_id: string): Promise<boolean> {
  return (
    (await books.prepare('SELECT 1 FROM returns WHERE account_id = ? LIMIT 1').bind(account_id).first()) !==
    null
  )
}
