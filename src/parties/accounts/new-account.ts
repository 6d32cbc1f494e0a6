import { newId } from '../../platform/database/ids.ts'
import { insertHome } from '../../platform/database/new-home-store.ts'
import type { Shard } from '../../platform/database/shards.ts'
import type { NewAccountRow } from './store.ts'

type Given = Pick<NewAccountRow, 'name' | 'tier' | 'sandbox'> &
  Partial<Pick<NewAccountRow, 'seller_name' | 'platform_id' | 'external_id'>>

/** The row of a new account whose books will be in a shard. It needs a home there: see openHome. */
export function newAccountRow(given: Given, shard: Shard, now: Date): NewAccountRow {
  return {
    seller_name: null,
    platform_id: null,
    external_id: null,
    ...given,
    id: newId('acct'),
    created_at: now.toISOString(),
    shard: shard.number,
    home: shard.number === 0 ? 'open' : 'away',
  }
}

/**
 * Makes the home of an account's books in its shard, unless it has one. The account comes first, its home
 * second and its keys last. So a crash leaves no home without an account and no key that cannot write, and
 * the same call ends the work.
 */
export async function openHome(shard: Shard, account_id: string, now: Date): Promise<void> {
  if (shard.number > 0) await insertHome(shard.books, account_id, 'open', now).run()
}
