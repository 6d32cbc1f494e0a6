/**
 * What an operator does to an account. The row of the control database decides: requests are refused within
 * a minute, because isolates keep a principal for so long. The row in the shard of the books has the same
 * `suspended_at`: it refuses writes there at once, and the jobs and deliveries of the shard skip the account.
 * Suspending writes the control database first, resuming writes it last. So a crash in between leaves an
 * account that is stopped, and the same command ends the work.
 */
import type { ControlDb } from '../../src/platform/database/databases.ts'
import { isMoving } from '../../src/platform/database/home-store.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import { commitSystemChange } from '../../src/platform/writes/system-change.ts'
import { doListAgain } from '../../src/service/erasures/list-store.ts'
import type { Tier } from '../../src/platform/tiers.ts'
import {
  hold,
  type ManagedAccount,
  readManaged,
  requireNoMove,
  resume,
  suspend,
  writeTier,
} from './accounts-store.ts'

/** The databases of the installation. */
export type ManageTools = {
  control: ControlDb
  shardOf: (number: number) => Shard
  clock: () => Date
}

/** An account whose books are not being moved. Throws an Error. */
export async function settledAccount(control: ControlDb, id: string): Promise<ManagedAccount> {
  const account = await readManaged(control, id)
  if (account === null) throw new Error(`There is no account ${id}`)
  if (await isMoving(control, id)) throw new Error(`The books of ${id} are being moved: end the move first`)
  return account
}

/** Stops an account: its requests, deliveries, jobs and calendar. Its data stays. */
export async function suspendAccount(tools: ManageTools, id: string): Promise<void> {
  const { control, shardOf, clock } = tools
  const { shard } = await settledAccount(control, id)
  const now = clock()
  const at = now.toISOString()
  await commitSystemChange(control, now, {
    // No move begins while the account is suspended, so the shard stays the one that gets the mark.
    changes: [requireNoMove(control, id), suspend(control, id, at)],
    audit: [{ account_id: id, action: 'account.suspended', resource_id: id, changed: ['suspended_at'] }],
    only_if: { sql: isSuspended('IS NULL'), values: [] },
  })
  if (shard > 0) await suspend(shardOf(shard).books, id, at).run()
}

/** Lets a suspended account go on. Throws an Error if it was erased. */
export async function resumeAccount(tools: ManageTools, id: string): Promise<void> {
  const { control, shardOf, clock } = tools
  const { shard, erased_at } = await settledAccount(control, id)
  if (erased_at !== null) throw new Error(`${id} was erased at ${erased_at} and stays suspended`)
  if (shard > 0) await resume(shardOf(shard).books, id).run()
  await commitSystemChange(control, clock(), {
    changes: [resume(control, id)],
    audit: [{ account_id: id, action: 'account.resumed', resource_id: id, changed: ['suspended_at'] }],
    only_if: { sql: isSuspended('IS NOT NULL'), values: [] },
  })
}

/** Lets nothing of an account be erased or expire, or ends that. The books do not move meanwhile. */
export async function holdAccount(tools: ManageTools, id: string, held: boolean): Promise<void> {
  const { control, shardOf, clock } = tools
  const { shard } = await settledAccount(control, id)
  const now = clock()
  const at = held ? now.toISOString() : null
  await commitSystemChange(control, now, {
    changes: [requireNoMove(control, id), hold(control, id, at), ...(held ? [] : [doListAgain(control)])],
    audit: [
      {
        account_id: id,
        action: held ? 'account.held' : 'account.released',
        resource_id: id,
        changed: ['held_at'],
      },
    ],
  })
  if (shard === 0) return
  const { books } = shardOf(shard)
  await books.batch([hold(books, id, at), ...(held ? [] : [doListAgain(books)])])
}

/** Changes the tier of an account. Isolates use the new limits within a minute. Returns the old tier. */
export async function changeTier(tools: ManageTools, id: string, tier: Tier): Promise<Tier> {
  const { control, clock } = tools
  const account = await readManaged(control, id)
  if (account === null) throw new Error(`There is no account ${id}`)
  if (account.tier === tier) return tier
  const values = { tier: { old: account.tier, new: tier } }
  await commitSystemChange(control, clock(), {
    changes: [writeTier(control, id, tier)],
    audit: [{ account_id: id, action: 'account.tier_changed', resource_id: id, changed: ['tier'], values }],
  })
  return account.tier
}

/** Whether the account of an audit entry is suspended before the change. */
function isSuspended(condition: 'IS NULL' | 'IS NOT NULL'): string {
  return `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = entry.account_id AND suspended_at ${condition})`
}
