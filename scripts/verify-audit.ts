import { verifyAudit } from '../src/audit/verify-audit.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'
import { shardNumbered } from './shard-sizes.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Checks the chains of audit events of one account, or of all accounts, and prints the last seal of each. An
 * account has a chain in the control database, and one in its shard.
 * `--seal POSITION:HASH` is a seal of the account that was noted down: it must still be in the chain. Exits
 * with 1 if anything differs.
 */
const values = readOptions({
  account: { type: 'string' },
  seal: { type: 'string' },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})

/** A seal as it is printed. Throws if it is not one, or if no account is named. */
function readSeal(text: string | undefined): { position: number; hash: string } | null {
  if (text === undefined) return null
  const [, position, hash] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? []
  if (position === undefined || hash === undefined || values.account === undefined)
    throw new Error('--seal must be POSITION:HASH, together with --account')
  return { position: Number(position), hash }
}

const { db, shards, dispose } = values.remote
  ? await openRemote(values.env)
  : await openLocal(values['persist-to'])
try {
  const known = readSeal(values.seal)
  const { results } = await whileBusy(() =>
    db
      .prepare('SELECT id, shard FROM accounts WHERE ?1 IS NULL OR id = ?1 ORDER BY id')
      .bind(values.account ?? null)
      .all<{ id: string; shard: number }>(),
  )
  let count = 0
  for (const { id, shard } of results)
    for (const books of new Set([db, shardNumbered(shards, shard).books])) {
      const { head, erased, faults } = await whileBusy(() => verifyAudit(books, id, new Date(), known))
      count += faults.length
      for (const { audit_id, message } of faults) console.log(`${id} ${audit_id}: ${message}`)
      console.log(`${id} last seal ${head.position}:${head.hash}, ${erased} erased`)
    }
  console.log(`${results.length} accounts, ${count} faults`)
  process.exitCode = count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}
