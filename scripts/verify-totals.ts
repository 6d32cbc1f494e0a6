import { verifyTotals } from '../src/transactions/verify-totals.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { whileBusy } from './while-busy.ts'
import { readOptions } from './options.ts'
import { shardNumbered } from './shard-sizes.ts'

/**
 * Recomputes the totals of one account, or of all accounts, from the transactions, and prints every
 * difference. Exits with 1 if there is one.
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
  const { results } = await whileBusy(() =>
    db
      .prepare('SELECT id, shard FROM accounts WHERE ?1 IS NULL OR id = ?1 ORDER BY id')
      .bind(values.account ?? null)
      .all<{ id: string; shard: number }>(),
  )
  if (results.length === 0)
    throw new Error(
      values.account === undefined
        ? 'There is no account. Run npm run keys -- create to make one'
        : `There is no account ${values.account}. Run npm run keys -- list to see all accounts`,
    )
  let count = 0
  for (const { id, shard } of results) {
    const { books } = shardNumbered(shards, shard)
    const differences = await whileBusy(() => verifyTotals(books, id))
    for (const { table, key, column, kept, recomputed } of differences) {
      count += 1
      console.log(
        `${id} ${table} [${key}] ${column}: stored ${kept ?? 'no row'}, recomputed ${recomputed ?? 'no row'}`,
      )
    }
  }
  console.log(`${results.length} accounts, ${count} differences`)
  process.exitCode = count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}
