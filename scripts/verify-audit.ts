import type { AnyDb } from '../src/platform/database/databases.ts'
import { type Head, verifyAudit } from './verify/audit.ts'
import type { BoundChests } from './verify/chests.ts'
import { CHECK_OPTIONS, checkEachAccount } from './each-account.ts'
import { readOptions } from './options.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Checks the chain of audit events of one account, or of all accounts, and prints the last seal of each.
 * `--seal CHAIN:POSITION:HASH` is a seal of the account that was noted down: it must still be in the chain.
 * Exits with 1 if anything differs.
 */
const { seal, ...chosen } = readOptions({ ...CHECK_OPTIONS, seal: { type: 'string' } })
const names = { accounts: 'accounts', faults: 'faults' }

await checkEachAccount(chosen, names, async ({ id, books, control, chests }) => {
  const known = readSeal(seal)
  // A chain goes on in its shard. The chain of shard 0 goes on in the control database, where the events of
  // an account, its keys and registrations are.
  const continues = known?.chain === 0 ? control : books
  let faults = 0
  for (const each of new Set([control, books]))
    faults += await check(each, id, each === continues ? known : null, { ...(chests && { chests }) })
  return faults
})

/** A seal as it is printed. Throws if it is not one, or if no account is named. */
function readSeal(text: string | undefined): Head | null {
  if (text === undefined) return null
  const [, chain, position, hash] = /^(\d{1,4}):(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? []
  if (chain === undefined || position === undefined || hash === undefined || chosen.account === undefined)
    throw new Error('--seal must be CHAIN:POSITION:HASH, together with --account')
  return { chain: Number(chain), position: Number(position), hash }
}

/** Prints the faults of an account in a database, and the last seals there. Returns the number of faults. */
async function check(books: AnyDb, id: string, known: Head | null, bound: BoundChests): Promise<number> {
  const { heads, erased, faults } = await whileBusy(() => verifyAudit(books, id, new Date(), known, bound))
  for (const { audit_id, message } of faults) console.log(`${id} ${audit_id}: ${message}`)
  const seals = heads.map(({ chain, position, hash }) => `${chain}:${position}:${hash}`)
  console.log(`${id} last seals ${seals.join(' ')}, ${erased} erased`)
  return faults.length
}
