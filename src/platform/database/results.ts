import { invariant } from '../../engine/ground/invariant.ts'

/**
 * The rows in the result of one statement of a batch. The type names its columns. Throws BrokenInvariant if
 * the batch has no result for that statement.
 */
export function rowsOf<Row>(result: D1Result<Row> | D1Result | undefined): Row[] {
  return invariant(result, 'each statement of a batch has a result').results as Row[]
}

/** The result of `SELECT count(*) AS total` in a batch. */
export function totalOf(result: D1Result | undefined): number {
  return invariant(rowsOf<{ total: number }>(result)[0], 'a count has a row').total
}
