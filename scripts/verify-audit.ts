import { type Head, verifyAudit } from '../src/audit/verify-audit.ts'
import { DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { readOptions } from './options.ts'
import { shardNumbered } from './shard-sizes.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Checks the chain of audit events of one account, or of all accounts, and prints the last seal of each.
 * `--seal CHAIN:POSITION:HASH` is a seal of the account that was noted down: it must still be in the chain.
 * Exits with 1 if anything differs.
 */
const values = readOptions({
  account: { type: 'string' },
  seal: { type: 'string' },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
})

/** A seal as it is printed. Throws if it is not one, or if no account is named. */
function readSeal(text: string | undefined): Head | null {
  if (text === undefined) return null
  const [, chain, position, hash] = /^(\d{1,4}):(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? []
  if (chain === undefined || position === undefined || hash === undefined || values.account === undefined)
    throw new Error('--seal must be CHAIN:POSITION:HASH, together with --account')
  return { chain: Number(chain), position: Number(position), hash }
}

/** Prints the faults of an account in a database, and the last seals there. Returns the number of faults. */
async function check(books: D1Database, id: string, known: Head | null): Promise<number> {
  const { heads, erased, faults } = await whileBusy(() => verifyAudit(books, id, new Date(), known))
  for (const { audit_id, message } of faults) console.log(`${id} ${audit_id}: ${message}`)
  const seals = heads.map(({ chain, position, hash }) => `${chain}:${position}:${hash}`)
  console.log(`${id} last seals ${seals.join(' ')}, ${erased} erased`)
  return faults.length
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
  for (const { id, shard } of results) {
    // The events of an account, its keys and registrations are in the control database.
    const { books } = shardNumbered(shards, shard)
    // A chain goes on in its shard. The chain of shard 0 goes on in the control database.
    const continues = known?.chain === 0 ? db : books
    for (const each of new Set([db, books])) count += await check(each, id, each === continues ? known : null)
  }
  console.log(`${results.length} accounts, ${count} faults`)
  process.exitCode = count === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await dispose()
}
