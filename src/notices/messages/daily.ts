import type { Bindings } from '../../platform/bindings.ts'
import { budgetOf } from '../../platform/invocation-budget.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { ApiError } from '../../platform/errors.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { sendMessages } from '../../platform/queue/send.ts'
import { makeDigest, type OpenReturns } from './digest.ts'
import { isAnyDue, leaseDue, pruneSlice } from './digest-store.ts'
import { deliverMessages } from './deliver.ts'

/** Accounts and messages that one page leases, and pages of an invocation; another one does the rest. */
const ROOMY = { page: 10, pages: 3 }
/** An account takes about ten operations, and an invocation of the free plan has fifty. */
const FREE = { page: 2, pages: 1 }
/** Longer than a page of slow receivers takes. */
const LEASE_MS = 10 * 60_000
const KEPT_MS = 90 * DAY_MS
const PRUNED_MAX = 5_000

/**
 * Makes the daily messages of the accounts of a shard whose hour has come, and sends what is due: a page of
 * both at a time. A kill anywhere leaves leases that end. A message is made once for each recipient and local
 * day, and one whose sending has no known outcome is sent once more, with the same id.
 */
export async function sendDailyMessages(
  env: Bindings,
  shard: Shard,
  now: Date,
  readOpen: OpenReturns,
): Promise<void> {
  const until = new Date(now.getTime() + LEASE_MS).toISOString()
  const { page, pages } = budgetOf(env) === null ? ROOMY : FREE
  for (let done = 0; done < pages; done += 1) {
    const { digests, messages } = await leaseDue(env.DB, shard.number, {
      now: now.toISOString(),
      until,
      most: page,
    })
    if (digests.length === 0 && messages.length === 0) return
    for (const due of digests)
      await makeDigest(env, shard, due, now, readOpen).catch((thrown: unknown) => {
        // The account has changed its settings meanwhile: the next page makes it with them.
        if (thrown instanceof ApiError && thrown.reason === 'concurrent_change') return
        // The others must not miss theirs because of one account.
        logFault({ job: 'sendDailyMessages', account_id: due.account_id }, thrown)
      })
    await deliverMessages(env, messages, now)
  }
  await sendRest(env, shard, now)
}

/**
 * The same at a tick. Where a tick has a budget, an invocation of its own sends what is due: the budget could
 * end between a sending and its record.
 */
export async function startDailyMessages(
  env: Bindings,
  shard: Shard,
  now: Date,
  readOpen: OpenReturns,
): Promise<void> {
  if (budgetOf(env) === null) return sendDailyMessages(env, shard, now, readOpen)
  if (await isAnyDue(env.DB, shard.number, now.toISOString())) await sendRest(env, shard, now)
}

async function sendRest(env: Bindings, { number: shard }: Shard, now: Date): Promise<void> {
  const message = { kind: 'daily_messages', id: 'rest', shard } as const
  await sendMessages(env.WEBHOOK_EVENTS, [{ message, at: null }], now)
}

/** Deletes messages that are older than 90 days, in slices. */
export async function pruneMessages(control: ControlDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString()
  await inSlices(() => pruneSlice(control, before, PRUNED_MAX))
}
