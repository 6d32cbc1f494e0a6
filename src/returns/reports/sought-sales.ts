import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { searchSales } from '../../sales/transactions/read/search-store.ts'

/**
 * The ids of the sales that a text finds; undefined: no text was given. Throws invalid_request if more match
 * than a search looks at, because a report has all rows or none.
 */
export async function soughtSales(
  context: Context,
  q: string | undefined,
): Promise<readonly string[] | undefined> {
  if (q === undefined) return undefined
  const { ids, complete } = await searchSales(context, q)
  if (!complete)
    throw fieldError('invalid_request', 'q', 'finds more than a search looks at: give more characters')
  return ids
}
