import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { BudgetSpent } from '../../platform/invocation-budget.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { checkReturn, missingReturns } from './check-return.ts'
import { type CheckedReturn, readDueSince, readNextDue, writeCheck } from './check-sample-store.ts'
import { readFilingEvents } from './filing-events-store.ts'
import { readIdsOfFiled, readReturn } from './returns-store.ts'

const FAULT_MAX = 1_000

/**
 * Checks the returns of all accounts of a shard. A run, which `begin` starts each night, checks those that
 * never were, and of the others a ninetieth, but at least 20, whose last check is the oldest. So each has its
 * turn in a quarter, up to 518,000 of them. A tick checks up to 20, and the next ones go on. A fault is
 * logged, and `attention` of the account names it.
 */
export async function checkReturns(
  shard: Shard,
  now: Date,
  begin: boolean,
  env: Pick<Bindings, 'CHESTS'> = {},
): Promise<void> {
  const { books } = shard
  await pagesOfJob(books, { name: 'checkReturns', begin }, async (cursor) => {
    // The run keeps its moment in the cursor, before the return that it checked last.
    const [since = '', after = ''] = (cursor || (await readDueSince(books, now.toISOString()))).split(' ')
    const row = await readNextDue(books, since, after)
    if (row === null) return null
    await check(env, shard, row, now.toISOString())
    return `${since} ${row.id}`
  })
}

async function check(
  env: Pick<Bindings, 'CHESTS'>,
  { number, books }: Shard,
  row: CheckedReturn,
  checked_at: string,
): Promise<void> {
  const about = { job: 'checkReturns', shard: number, account_id: row.account_id, return_id: row.id }
  const fault = await faultOf({ env, books }, row, (thrown) => logFault(about, thrown))
  if (typeof fault === 'string') logFault(about, new Error(fault))
  await writeCheck(books, row, checked_at, fault).catch((thrown: unknown) => {
    if (thrown instanceof BudgetSpent) throw thrown
    // The run goes on: it is among the first of the next one.
    logFault(about, thrown)
  })
}

/** What is wrong with a return; null: nothing; undefined: it cannot be checked, and the others go on. */
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
    if (thrown instanceof BudgetSpent) throw thrown
    refused(thrown)
    return undefined
  }
}
