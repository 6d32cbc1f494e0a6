import type { BooksDb } from '../../src/platform/database/databases.ts'
import { COUNT_KEY, KEY } from '../../src/sales/transactions/sums/totals-keys.ts'
import { type BoundChests, sealedSource } from './chests.ts'
import { MEASURES, monthsOfAccount, readMonth, readMonthEverywhere, type TotalsRow } from './totals-store.ts'

/**
 * A value of the totals or counts that differs from the transactions. `kept` or `recomputed` is null if it
 * has no such row.
 */
export type Difference = {
  table: 'tax_totals' | 'transaction_counts'
  key: string
  column: string
  kept: number | null
  recomputed: number | null
}

/**
 * Recomputes the totals and counts of an account from its transactions, lines and refunds, month by month,
 * and returns every difference. `left_out`: without its sealed sales.
 */
export async function verifyTotals(
  books: BooksDb,
  account_id: string,
  bound: BoundChests & { left_out?: true } = {},
): Promise<Difference[]> {
  const differences: Difference[] = []
  const source = bound.left_out ? null : await sealedSource(books, account_id, bound)
  for (const month of await monthsOfAccount(books, account_id)) {
    const { kept, recomputed, keptCounts, recomputedCounts } = await (source === null
      ? readMonth(books, account_id, month)
      : readMonthEverywhere(source, month))
    differences.push(
      ...compareRows('tax_totals', KEY, MEASURES, kept, recomputed),
      ...compareRows('transaction_counts', COUNT_KEY, ['transactions'], keptCounts, recomputedCounts),
    )
  }
  return differences
}

function compareRows(
  table: Difference['table'],
  key: readonly string[],
  measures: readonly string[],
  kept: readonly TotalsRow[],
  recomputed: readonly TotalsRow[],
): Difference[] {
  const keyOfRow = (row: TotalsRow) => key.map((name) => String(row[name])).join(' | ')
  const expected = new Map(recomputed.map((row) => [keyOfRow(row), row]))
  const found = new Map(kept.map((row) => [keyOfRow(row), row]))
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((each) =>
    measures.flatMap((column) => {
      const [is, should] = [found.get(each)?.[column], expected.get(each)?.[column]]
      return (is ?? 0) === (should ?? 0)
        ? []
        : [{ table, key: each, column, kept: numberOrNull(is), recomputed: numberOrNull(should) }]
    }),
  )
}

function numberOrNull(value: string | number | undefined): number | null {
  return typeof value === 'number' ? value : null
}
