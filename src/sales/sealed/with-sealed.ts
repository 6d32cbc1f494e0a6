import type { BooksDb } from '../../platform/database/databases.ts'
import { late } from '../../platform/kit/late.ts'
import type { SealedOf } from './read-sealed.ts'

/** Few installations have a bucket for chests, so all that reads them is loaded late. */
export const sealed = late(() => import('./read-sealed.ts'))
export const sealedReturns = late(() => import('./sealed-returns.ts'))
export const thawing = late(() => import('./thaw.ts'))

/** Rows of sales with these ids, from the books and with a bucket from what is sealed. */
export async function rowsOfIds<Row>(
  source: SealedOf,
  ids: readonly string[],
  read: (books: BooksDb) => Promise<Row[]>,
): Promise<Row[]> {
  if (source.env.CHESTS === undefined) return read(source.books)
  const { everywhereOfIds } = await sealed.load()
  return (await everywhereOfIds(source, ids, read)).flat()
}
