import type { Context } from '../../../platform/context.ts'
import type { KeptReasons } from './kept-reasons.ts'

/** The kept reasons of sales, by id. A sale that was recorded before reasons were kept is missing. */
export async function readReasons(
  { books, principal }: Context,
  ids: readonly string[],
): Promise<Map<string, KeptReasons>> {
  const { results } = await books
    .prepare(
      `SELECT id, reasons FROM transactions
       WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) AND reasons IS NOT NULL`,
    )
    .bind(principal.account_id, JSON.stringify(ids))
    .all<{ id: string; reasons: string }>()
  return new Map(results.map(({ id, reasons }) => [id, JSON.parse(reasons) as KeptReasons]))
}
