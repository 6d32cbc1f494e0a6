import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { ApiError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { checkReturn, missingReturns } from './check-return.ts'
import { type CheckedReturn, readLeastChecked, writeCheck } from './check-sample-store.ts'
import { readFilingEvents } from './filing-events-store.ts'
import { readIdsOfFiled, readReturn } from './returns-store.ts'

const FAULT_MAX = 1_000

/**
 * Checks the returns of all accounts of a shard, those whose last check is the oldest: up to 20 a night, so
 * that each has its turn. A fault is logged, and `attention` of the account names it.
 */
export async function checkReturns(
  { number, books }: Shard,
  now: Date,
  env: Pick<Bindings, 'CHESTS'> = {},
): Promise<void> {
  const checked_at = now.toISOString()
  await inSlices(async () => {
    const row = await readLeastChecked(books, checked_at)
    if (row === null) return false
    const about = { job: 'checkReturns', shard: number, account_id: row.account_id, return_id: row.id }
    const fault = await faultOf({ env, books }, row, (thrown) => logFault(about, thrown))
    if (typeof fault === 'string') logFault(about, new Error(fault))
    await writeCheck(books, row, checked_at, fault)
    return true
  })
}

/** What is wrong with a return; null: nothing; undefined: its account changes without a pause. */
async function faultOf(
  { env, books }: { env: Pick<Bindings, 'CHESTS'>; books: BooksDb },
  row: CheckedReturn,
  refused: (thrown: unknown) => void,
): Promise<string | null | undefined> {
  const source = { env, books, principal: { account_id: row.account_id } }
  try {
    const events = await readFilingEvents(source)
    const missing = missingReturns(events, await readIdsOfFiled(source))
    const checked = await checkReturn(source, row, events, { thorough: true })
    const faults = [...checked.faults, ...missing.map(({ return_id }) => `The return ${return_id} is gone`)]
    if (faults.length === 0) return null
    // Its row and its events are of two moments, so one that was reopened in between seems to differ.
    if ((await readReturn(source, row.id))?.status !== row.status) return undefined
    return faults.join('. ').slice(0, FAULT_MAX)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    refused(thrown)
    return undefined
  }
}
