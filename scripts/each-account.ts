import type { BooksDb, ControlDb } from '../src/platform/database/databases.ts'
import { type Bindings, DEFAULT_STATE, openLocal, openRemote } from './bindings.ts'
import { shardNumbered } from './shard-numbered.ts'
import { whileBusy } from './while-busy.ts'

/** The options of a command that checks the books of one account, or of all accounts. */
export const CHECK_OPTIONS = {
  account: { type: 'string' },
  'persist-to': { type: 'string', default: DEFAULT_STATE },
  remote: { type: 'boolean', default: false },
  env: { type: 'string', default: '' },
} as const

type Chosen = { account?: string | undefined; 'persist-to': string; remote: boolean; env: string }

/** The books of an account, in its shard, the control database, and the bucket of its sealed sales. */
type AccountBooks = { id: string; books: BooksDb; control: ControlDb; chests?: R2Bucket }

/**
 * Checks each chosen account and prints `n accounts, n faults`. `check` prints what it finds and returns the
 * number of faults, or null if the account has nothing to check. Sets the exit code: 1 if anything is wrong.
 */
export async function checkEachAccount(
  chosen: Chosen,
  names: { accounts: string; faults: string },
  check: (account: AccountBooks) => Promise<number | null>,
): Promise<void> {
  const bindings = chosen.remote ? await openRemote(chosen.env) : await openLocal(chosen['persist-to'])
  try {
    const counts = []
    for (const account of await accountsOf(bindings, chosen.account ?? null)) {
      const faults = await check(account)
      if (faults !== null) counts.push(faults)
    }
    const faults = counts.reduce((sum, each) => sum + each, 0)
    console.log(`${counts.length} ${names.accounts}, ${faults} ${names.faults}`)
    process.exitCode = faults === 0 ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await bindings.dispose()
  }
}

/** The account with an id, or all of them. Throws if there is none. */
async function accountsOf({ db, shards, buckets }: Bindings, id: string | null): Promise<AccountBooks[]> {
  const { results } = await whileBusy(() =>
    db
      .prepare('SELECT id, shard FROM accounts WHERE ?1 IS NULL OR id = ?1 ORDER BY id')
      .bind(id)
      .all<{ id: string; shard: number }>(),
  )
  if (results.length === 0)
    throw new Error(
      id === null
        ? 'There is no account. Run npm run keys -- create to make one'
        : `There is no account ${id}. Run npm run keys -- list to see all accounts`,
    )
  const { CHESTS: chests } = buckets
  return results.map((row) => ({
    id: row.id,
    books: shardNumbered(shards, row.shard).books,
    control: db,
    ...(chests && { chests }),
  }))
}
