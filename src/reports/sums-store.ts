import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { conditionOf, piecesOf } from '../transactions/pieces.ts'

/**
 * Sums of a group of sales, minor units of one currency, without tax but where the name says tax. Refunds
 * stand apart.
 */
export type Sums = {
  transactions: number
  refunds: number
  net_amount: number
  taxable_amount: number
  uncollected_amount: number
  tax_amount: number
  provincial_tax_amount: number
  refunded_net_amount: number
  refunded_taxable_amount: number
  refunded_tax_amount: number
  refunded_provincial_tax_amount: number
}

/** The columns of `Sums` that are money. */
export const SUMMED = [
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
  'provincial_tax_amount',
  'refunded_net_amount',
  'refunded_taxable_amount',
  'refunded_tax_amount',
  'refunded_provincial_tax_amount',
] as const

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

/** Throws amount_out_of_range for a sum that a double cannot hold exactly. */
export function refuseInexact(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw tooLarge()
  return sum
}

function tooLarge(): ApiError {
  return new ApiError('amount_out_of_range', {
    message: 'The sums of these sales are too large to be told exactly: ask for a shorter time',
  })
}
