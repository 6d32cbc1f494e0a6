import type { BooksDb, ControlDb } from '../database/databases.ts'
import type { Bindings } from '../bindings.ts'
import { dayOf } from '../calendar.ts'
import { shardOf } from '../database/shards.ts'
import { convertIndicatively } from '../tax/book/exchange.ts'
import type { Threshold } from '../tax/book/facts.ts'
import { inForce, type RateBook } from '../tax/book/rate-book.ts'
import { bookFor } from '../tax-data/book-for.ts'
import { NoTaxData } from '../tax-data/current-rate-book.ts'
import {
  readAccountsIn,
  readDistanceSales,
  type SellerOver,
  type YearOfSales,
  writeOverThreshold,
} from './union-threshold-store.ts'

const PAGE = 200
/** At most 20,000 accounts a night. */
const PAGES_MAX = 100

/**
 * Compares the distance sales of each account in the Union with the threshold of Directive 2006/112/EC,
 * art. 59c, in this and the last calendar year, and keeps the result with the account. Calculations that do
 * not say `over_eu_threshold` use it.
 */
export async function compareUnionThreshold(env: Bindings, now: Date): Promise<void> {
  const book = await bookFor({ env, now, later: (work) => void work }).catch(nothingLoaded)
  if (book === null) return
  const day = dayOf(now)
  const threshold = book.facts.thresholds.find(
    (each) => each.threshold_type === 'DISTANCE_SALES' && inForce(each, day),
  )
  if (threshold === undefined) return
  const countries = [...book.jurisdictions.values()].filter(
    ({ region, type }) => region === 'EU' && type === 'country',
  )
  const ids = countries.map(({ id }) => id)
  let after = ''
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const accounts = await readAccountsIn(env.DB, ids, after, PAGE)
    const last = accounts.at(-1)
    if (last === undefined) return
    for (const [number, owners] of Map.groupBy(accounts, ({ shard }) => shard)) {
      const databases = { control: env.DB, books: shardOf(env, number).books }
      await compareAccounts(databases, book, threshold, owners, Number(day.slice(0, 4)))
    }
    after = last.id
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
  accounts: readonly SellerOver[],
  year: number,
): Promise<void> {
  const ids = accounts.map(({ id }) => id)
  const sales = Map.groupBy(await readDistanceSales(books, ids, year - 1), ({ account_id }) => account_id)
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
