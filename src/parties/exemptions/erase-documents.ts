import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { eraseFiles, type ErasureRow, readDueErasures } from './document-store.ts'

/** Files of one run. The bucket deletes up to 1,000 in one call. */
const FILES_OF_RUN = 100

/** Deletes files that no certificate has: replaced ones, those of erased customers, unfinished uploads. */
export async function eraseDocuments(env: Bindings, books: BooksDb, now: Date): Promise<void> {
  const files = await readDueErasures(books, now, env.CERTIFICATES !== undefined, FILES_OF_RUN)
  const keys = files.filter(({ in_bucket }) => in_bucket === 1).map(bucketKey)
  if (keys.length > 0) await env.CERTIFICATES?.delete(keys)
  if (files.length > 0) await books.batch(eraseFiles(books, files))
}

/** The key of a file in the bucket. */
export function bucketKey({
  account_id,
  document_id,
}: Pick<ErasureRow, 'account_id' | 'document_id'>): string {
  return `${account_id}/${document_id}`
}
