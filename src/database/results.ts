import { invariant } from '../tax/invariant.ts'

/**
 * The rows that one statement of a batch answered. Its columns are those that the type names. Throws
 * BrokenInvariant if the batch has no answer of that statement.
 */
export function rowsOf<Row>(result: D1Result<Row> | D1Result | undefined): Row[] {
  return invariant(result, 'each statement of a batch has a result').results as Row[]
}

/** What a statement `SELECT count(*) AS total` of a batch answered. */
export function totalOf(result: D1Result | undefined): number {
  return invariant(rowsOf<{ total: number }>(result)[0], 'a count has a row').total
}
