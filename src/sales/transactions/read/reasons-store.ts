import type { Context } from '../../../platform/context.ts'
import { invariant } from '../../../engine/ground/invariant.ts'
import { rowsOfIds } from '../../sealed/with-sealed.ts'
import { ID_LENGTH } from '../sale/words-store.ts'
import type { KeptReasons, KeptStep, StoredReasons } from './kept-reasons.ts'

/** The kept reasons of sales, by id. A sale that was recorded before reasons were kept is missing. */
export async function readReasons(
  context: Context,
  ids: readonly string[],
): Promise<Map<string, KeptReasons>> {
  const rows = await rowsOfIds(context, ids, async (books) => {
    const { results } = await books
      .prepare(
        `WITH kept AS MATERIALIZED (SELECT id, reasons, reasons ->> '$.shared' AS shared FROM transactions
         WHERE +account_id = ? AND id IN (SELECT value FROM json_each(?)) AND reasons IS NOT NULL),
       places (place) AS (SELECT 1 UNION ALL SELECT place + ${ID_LENGTH} FROM places
         WHERE place + ${ID_LENGTH} < (SELECT max(length(shared)) FROM kept))
       SELECT id, reasons, NULL AS words FROM kept
       UNION ALL SELECT id, NULL, words FROM words_of_sales
       WHERE id IN (SELECT substr(shared, place, ${ID_LENGTH}) FROM kept CROSS JOIN places)`,
      )
      .bind(context.principal.account_id, JSON.stringify(ids))
      .all<{ id: string; reasons: string; words: null } | { id: string; reasons: null; words: string }>()
    return results
  })
  const words = new Map(rows.flatMap(({ id, words: text }) => (text === null ? [] : [[id, text]])))
  return new Map(
    rows.flatMap(({ id, reasons }) => (reasons === null ? [] : [[id, wholeReasons(reasons, words)]])),
  )
}

function wholeReasons(stored: string, words: ReadonlyMap<string, string>): KeptReasons {
  const { shared = '', ...kept }: StoredReasons = JSON.parse(stored)
  const steps = [...kept.steps]
  for (let start = 0; start < shared.length; start += ID_LENGTH) {
    const found = words.get(shared.slice(start, start + ID_LENGTH))
    steps.push(JSON.parse(invariant(found, 'the words of a step are kept')) as KeptStep)
  }
  return { ...kept, steps }
}
