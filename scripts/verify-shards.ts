import { openLocal, openRemote, type Bindings } from './bindings.ts'
import { CHECK_OPTIONS } from './each-account.ts'
import { readOptions } from './options.ts'
import { dropCopy } from './verify/drop-copy.ts'
import { keepBooks } from './verify/keep-books.ts'
import { describeCopies, type ShardFault, verifyShards, type Whereabouts } from './verify/shards.ts'
import { countByKey } from './verify/shards-store.ts'

/**
 * Says for each account whether the control database, the shards and its move agree on where its books are.
 * Exits with 1 if anything differs. `--repair` decides what is certain: one shard alone has the books open.
 * `--account ID --keep N` decides it for one account. Neither deletes anything. `--account ID --drop N`
 * deletes a copy that is left in a shard, if all databases say that the books are elsewhere.
 */
const options = readOptions({
  ...CHECK_OPTIONS,
  repair: { type: 'boolean', default: false },
  keep: { type: 'string' },
  drop: { type: 'string' },
})
const bindings = await (options.remote ? openRemote(options.env) : openLocal(options['persist-to']))
try {
  process.exitCode = (await run(bindings)) === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await bindings.dispose()
}

/** Returns the number of faults that are left. */
async function run({ db, shards }: Bindings): Promise<number> {
  if (options.keep !== undefined) {
    const { account_id, number } = decided('--keep', options.keep)
    await keepBooks(db, shards, account_id, number)
    console.log(`The books of ${account_id} are those in shard ${number}`)
  }
  if (options.drop !== undefined) {
    const { account_id, number } = decided('--drop', options.drop)
    const dropped = await dropCopy(db, shards, account_id, number)
    console.log(`Shard ${number} has ${dropped ? 'no longer a' : 'no'} copy of the books of ${account_id}`)
  }
  let [accounts, faults] = [0, 0]
  for await (const { whereabouts, fault } of verifyShards(db, shards)) {
    if (options.account !== undefined && whereabouts.account_id !== options.account) continue
    accounts += 1
    if (fault === null) continue
    if (await repaired({ db, shards }, fault)) continue
    faults += 1
    await report(shards, whereabouts, fault)
  }
  for (const { number, books } of shards)
    for (const { key, webhooks } of await countByKey(books))
      console.log(`shard ${number}: ${webhooks} webhooks with secrets under the encryption key ${key}`)
  console.log(`${accounts} accounts, ${faults} faults`)
  return faults
}

/** The account and the shard of an option. */
function decided(name: string, value: string): { account_id: string; number: number } {
  const number = Number(value)
  if (options.account === undefined || !/^\d+$/.test(value))
    throw new Error(`${name} needs the number of a shard and --account ID`)
  return { account_id: options.account, number }
}

async function repaired(
  { db, shards }: Pick<Bindings, 'db' | 'shards'>,
  { account_id, what, keep }: ShardFault,
): Promise<boolean> {
  if (!options.repair || keep === null) return false
  await keepBooks(db, shards, account_id, keep)
  console.log(`${account_id}: ${what}. Repaired: its books are those in shard ${keep}`)
  return true
}

async function report(
  shards: Bindings['shards'],
  whereabouts: Whereabouts,
  { account_id, what, keep }: ShardFault,
): Promise<void> {
  console.log(`${account_id}: ${what}`)
  for (const copy of await describeCopies(shards, whereabouts)) console.log(`  ${copy}`)
  console.log(
    keep === null
      ? `  Decide with: npm run verify-shards -- --account ${account_id} --keep SHARD`
      : '  npm run verify-shards -- --repair decides this',
  )
}
