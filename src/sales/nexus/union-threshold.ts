import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import { shardOf } from '../../platform/database/shards.ts'
import { inHalves } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { convertIndicatively, inForce, type RateBook } from '../../engine/book/rate-book.ts'
import type { Threshold } from '../../engine/book/facts.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { NoTaxData } from '../../tax-data/records/current-rate-book.ts'
import {
  readAccountsIn,
  readDistanceSales,
  type SellerIn,
  type YearOfSales,
  writeOverThreshold,
} from './union-threshold-store.ts'

const PAGE = 1_000

/**
 * Compares the distance sales of each account in the Union with the threshold of Directive 2006/112/EC,
 * art. 59c, in this and the last calendar year, and keeps the result with the account. Calculations that do
 * not say `over_eu_threshold` use it. The night begins a run, and the next ticks go on with it. A shard that
 * does not answer keeps the results of its accounts from before, and stops no other. `size` is that of a
 * page.
 */
export async function compareUnionThreshold(
  env: Bindings,
  now: Date,
  begin: boolean,
  size = PAGE,
): Promise<void> {
  await pagesOfJob(env.DB, { name: 'compareUnionThreshold', begin }, async (after) => {
    const basis = await basisOf(env, now)
    if (basis === null) return null
    const accounts = await readAccountsIn(env.DB, basis.countries, after, size)
    for (const [shard, owners] of Map.groupBy(accounts, (account) => account.shard))
      await compareShard(env, shard, basis, owners)
    return accounts.length < size ? null : (accounts.at(-1)?.id ?? null)
  })
}

/** What sales are compared with: the threshold in force, the ids of the member states, and this year. */
type Basis = { book: RateBook; threshold: Threshold; countries: string[]; year: number }

/** Null: there is no such threshold. */
async function basisOf(env: Bindings, now: Date): Promise<Basis | null> {
  const book = await bookFor({ env, now, later: (work) => void work }).catch(nothingLoaded)
  if (book === null) return null
  const day = dayOf(now)
  const threshold = book.facts.thresholds.find(
    (each) => each.threshold_type === 'DISTANCE_SALES' && inForce(each, day),
  )
  if (threshold === undefined) return null
  const countries = [...book.jurisdictions.values()].filter(
    ({ region, type }) => region === 'EU' && type === 'country',
  )
  return { book, threshold, countries: countries.map(({ id }) => id), year: Number(day.slice(0, 4)) }
}

/** Compares accounts of a shard. A failure is logged, so that the other shards are compared. */
async function compareShard(
  env: Bindings,
  shard: number,
  { book, threshold, year }: Basis,
  accounts: readonly SellerIn[],
): Promise<void> {
  try {
    const databases = { control: env.DB, books: shardOf(env, shard).books }
    await inHalves(
      accounts,
      (some) => compareAccounts(databases, book, threshold, some, year),
      ({ id }, thrown) => logFault({ job: 'compareUnionThreshold', shard, account_id: id }, thrown),
    )
  } catch (thrown) {
    logFault({ job: 'compareUnionThreshold', shard }, thrown)
  }
}

/** Before the first data there is no threshold to compare with. */
function nothingLoaded(thrown: unknown): null {
  if (thrown instanceof NoTaxData) return null
  throw thrown
}

async function compareAccounts(
  { control, books }: { control: ControlDb; books: BooksDb },
  book: RateBook,
  threshold: Threshold,
  accounts: readonly SellerIn[],
  year: number,
): Promise<void> {
  const read = await readDistanceSales(books, accounts, year - 1)
  const sales = Map.groupBy(read, ({ account_id }) => account_id)
  const changed = accounts.flatMap(({ id, over_eu_threshold }) => {
    const over = isOver(book, threshold, sales.get(id) ?? []) ? 1 : 0
    return over === over_eu_threshold ? [] : [{ id, over_eu_threshold: over }]
  })
  if (changed.length > 0) await writeOverThreshold(control, changed)
}

/** Whether the sales of one of the years are over the threshold. Currencies without a rate do not count. */
function isOver(book: RateBook, { amount, currency }: Threshold, sales: readonly YearOfSales[]): boolean {
  const years = Map.groupBy(sales, ({ year }) => year)
  return [...years.values()].some((rows) => {
    let sum = 0
    for (const row of rows)
      sum +=
        row.currency === currency
          ? row.net_amount
          : (convertIndicatively(book, row.net_amount, row.currency, currency) ?? 0)
    return amount !== null && sum > amount
  })
}
