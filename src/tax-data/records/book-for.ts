import type { Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { readDataVersion } from './data-version.ts'
import { currentRateBook, heldRateBook, rateBookOfVersion } from './current-rate-book.ts'

/** The rate book in force, or the one of an earlier version. Throws data_version_not_found. */
export async function bookFor(reader: Reader, data_version: string | null = null): Promise<RateBook> {
  if (data_version === null) return heldRateBook(reader) ?? (await currentRateBook(reader))
  const version = readDataVersion(data_version)
  const book = version === null ? null : await rateBookOfVersion(reader.env, version.rates)
  if (book === null) throw new ApiError('data_version_not_found')
  return book
}
