import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { readDataVersion } from './data-version.ts'
import { currentRateBook, heldRateBook, rateBookOfVersion } from './current-rate-book.ts'

/** The rate book in force, or the one of an earlier version. Throws data_version_not_found. */
export async function bookFor(context: Context, data_version: string | null = null): Promise<RateBook> {
  if (data_version === null)
    return heldRateBook(context.now) ?? (await currentRateBook(context.env, context.now))
  const version = readDataVersion(data_version)
  const book = version === null ? null : await rateBookOfVersion(context.env, version.rates)
  if (book === null) throw new ApiError('data_version_not_found')
  return book
}
