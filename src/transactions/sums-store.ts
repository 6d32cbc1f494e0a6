import type { Context } from '../context.ts'
import { conditionOf, piecesOf } from './pieces.ts'
import { refuseInexact, SUMMED, type Sums, tooLarge } from './sums.ts'

type Grouping = { columns: readonly string[]; counted: 'transactions' | 'product_transactions' }

/**
 * Sums of the totals of a stretch of days, by columns of tax_totals. Throws amount_out_of_range where a sum
 * cannot be told exactly.
 */
export async function readSums<Row extends Sums>(
  context: Context,
  from: string,
  to: string,
  grouping: Grouping,
): Promise<Row[]> {
  const { env, principal } = context
  const within = conditionOf(piecesOf(from, to))
  const { columns, counted } = grouping
  const refunds = counted === 'transactions' ? 'refunds' : 'product_refunds'
  const places = columns.map((_, index) => index + 1).join(', ')
  const statement = env.DB.prepare(
    `SELECT ${[...columns, `sum(${counted}) AS transactions`, `sum(${refunds}) AS refunds`, ...SUMMED.map((name) => `sum(${name}) AS ${name}`)].join(', ')}
     FROM tax_totals WHERE account_id = ? AND ${within.sql} GROUP BY ${places} ORDER BY ${places}`,
  ).bind(principal.account_id, ...within.values)
  const { results } = await orTooLarge(statement.all<Row>())
  for (const row of results) for (const name of SUMMED) refuseInexact(row[name])
  return results
}

/** Says that a sum is too large, where the database said so. */
export async function orTooLarge<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (thrown) {
    throw thrown instanceof Error && thrown.message.includes('integer overflow') ? tooLarge() : thrown
  }
}
