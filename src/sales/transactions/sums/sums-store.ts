import type { Bindings } from '../../../platform/bindings.ts'
import type { Context, Principal } from '../../../platform/context.ts'
import { at } from '../../../engine/ground/invariant.ts'
import { conditionOfRanges, rangesOfPeriod } from './totals-ranges.ts'
import { refuseInexact, SUMMED, type Sums, tooLarge } from './sums.ts'

/** Whose totals are read, and where they are. */
export type TotalsOf = Pick<Context, 'books'> & {
  principal: Pick<Principal, 'account_id'>
  /** The bucket of chests, for those who read lines. Left out: there is none. */
  env?: Pick<Bindings, 'CHESTS'>
}

type Grouping = {
  columns: readonly string[]
  counted: 'transactions' | 'product_transactions'
  /** Further aggregates of each group, in SQL. Left out: none. */
  found?: readonly string[]
}

type Days = { from: string; to: string }

/**
 * Sums of the totals of a period, by columns of tax_totals. Groups whose sums are all 0 are left out. Throws
 * amount_out_of_range if a sum is too large to be exact.
 */
export async function readSums<Row extends Sums>(
  totals: TotalsOf,
  from: string,
  to: string,
  grouping: Grouping,
): Promise<Row[]> {
  return at(await readSumsOfPeriods<Row>(totals, [{ from, to }], grouping), 0)
}

/** Those of several periods, in their order and in one trip. */
export async function readSumsOfPeriods<Row extends Sums>(
  { books, principal }: TotalsOf,
  periods: readonly Days[],
  { columns, counted, found: further = [] }: Grouping,
): Promise<Row[][]> {
  if (periods.length === 0) return []
  const refunds = counted === 'transactions' ? 'refunds' : 'product_refunds'
  const places = columns.map((_, index) => index + 1).join(', ')
  const sums = [...SUMMED.map((name) => `sum(${name}) AS ${name}`), ...further]
  const statements = periods.map(({ from, to }) => {
    const within = conditionOfRanges(rangesOfPeriod(from, to))
    return books
      .prepare(
        `SELECT ${columns.join(', ')}, sum(${counted}) AS transactions, sum(${refunds}) AS refunds,
         ${sums.join(', ')}
       FROM tax_totals WHERE account_id = ? AND ${within.sql} GROUP BY ${places} ORDER BY ${places}`,
      )
      .bind(principal.account_id, ...within.values)
  })
  const found = await orTooLarge(books.batch<Row>(statements))
  return found.map(({ results }) => {
    for (const row of results) for (const name of SUMMED) refuseInexact(row[name])
    return results.filter(
      (row) => row.transactions !== 0 || row.refunds !== 0 || SUMMED.some((name) => row[name] !== 0),
    )
  })
}

/** Throws amount_out_of_range if the database reports that a sum is too large. */
export async function orTooLarge<Answer>(query: Promise<Answer>): Promise<Answer> {
  try {
    return await query
  } catch (thrown) {
    throw thrown instanceof Error && thrown.message.includes('integer overflow') ? tooLarge() : thrown
  }
}
