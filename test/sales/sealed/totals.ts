import { env } from 'cloudflare:workers'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { readMonthEverywhere, monthsOfAccount } from '../../../scripts/verify/totals-store.ts'
import { WITH_CHESTS } from './sealed.ts'

/** Sums and counts that are kept and not as they are recomputed from the sales, sealed ones too. */
export async function differencesOfMonths(account_id: string): Promise<string[]> {
  const { books } = shardOf(env, 0)
  const source = { env: WITH_CHESTS, books, principal: { account_id } }
  const found: string[] = []
  for (const month of await monthsOfAccount(books as unknown as D1Database, account_id)) {
    const { kept, recomputed, keptCounts, recomputedCounts } = await readMonthEverywhere(source, month)
    const [one, other] = [textOf(kept), textOf(recomputed)]
    if (one !== other) found.push(`${month}: ${one} is not ${other}`)
    if (textOf(keptCounts) !== textOf(recomputedCounts)) found.push(`${month}: counts`)
  }
  return found
}

const textOf = (rows: readonly object[]) =>
  rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
    .join()
