import type { Context } from '../../../platform/context.ts'
import { rowsOfIds } from '../../sealed/with-sealed.ts'
import type { KeptReasons } from './kept-reasons.ts'

/** The kept reasons of sales, by id. A sale that was recorded before reasons were kept is missing. */
export async function readReasons(
  context: Context,
  ids: readonly string[],
): Promise<Map<string, KeptReasons>> {
  const rows = await rowsOfIds(context, ids, async (books) => {
    const { results } = await books
      .prepare(
        `SELECT id, reasons FROM transactions
         WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) AND reasons IS NOT NULL`,
      )
      .bind(context.principal.account_id, JSON.stringify(ids))
      .all<{ id: string; reasons: string }>()
    return results
  })
  return new Map(rows.map(({ id, reasons }) => [id, JSON.parse(reasons) as KeptReasons]))
}
