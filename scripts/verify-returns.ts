import { verifyReturns } from '../src/reports/returns/verify-returns.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'
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

const { db, dispose } = values.remote ? await openRemote(values.env) : await openLocal(values['persist-to'])
try {
  const { results } = await whileBusy(() =>
    db
      .prepare('SELECT DISTINCT account_id FROM returns WHERE ?1 IS NULL OR account_id = ?1 ORDER BY 1')
      .bind(values.account ?? null)
      .all<{ account_id: string }>(),
  )
  let count = 0
  for (const { account_id } of results)
    for (const { return_id, message } of await whileBusy(() => verifyReturns(db, account_id))) {
      count += 1
      console.log(`${account_id} ${return_id}: ${message}`)
    }
  console.log(`${results.length} accounts with filed returns, ${count} faults`)
  process.exitCode = count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}
