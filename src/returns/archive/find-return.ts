import type { Context } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { readReturn, type ReturnRow } from './returns-store.ts'

/** One return of the account. Throws not_found. */
export async function findReturn(context: Context, id: string): Promise<ReturnRow> {
  const row = await readReturn(context, id)
  if (row === null) throw new ApiError('not_found')
  return row
}
