import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import {
  eraseFiles,
  eraseOwnerless,
  type ErasureRow,
  readDueErasures,
  readFilesAfter,
} from './document-store.ts'

/** Files of one run. The bucket deletes up to 1,000 in one call. */
const FILES_OF_RUN = 100

/** Deletes files that no certificate has: replaced ones, those of erased customers, unfinished uploads. */
export async function eraseDocuments(env: Bindings, books: BooksDb, now: Date): Promise<void> {
  const files = await readDueErasures(books, now, env.CERTIFICATES !== undefined, FILES_OF_RUN)
  const keys = files.filter(({ in_bucket }) => in_bucket === 1).map(bucketKey)
  if (keys.length > 0) {
    await env.CERTIFICATES?.delete(keys)
    await env.BACKUPS?.delete(keys.map((key) => `files/${key}`))
  }
  if (files.length > 0) await books.batch(eraseFiles(books, files))
}

const FILES_OF_PAGE = 200

/**
 * Lets `eraseDocuments` delete files in the books that no certificate has. An earlier release, which knows no
 * files, leaves them when it erases a person. `begin`: the nightly run; else one that waits for its end.
 */
export async function findOwnerlessFiles(books: BooksDb, now: Date, begin: boolean): Promise<void> {
  await pagesOfJob(books, { name: 'ownerless_files', begin }, async (after) => {
    const [account_id = '', document_id = ''] = after.split('/')
    const files = await readFilesAfter(books, { account_id, document_id }, FILES_OF_PAGE)
    if (files.length > 0) await eraseOwnerless(books, files, now)
    const last = files.at(-1)
    return last === undefined || files.length < FILES_OF_PAGE ? null : bucketKey(last)
  })
}

/** The key of a file in the bucket. */
export function bucketKey({
  account_id,
  document_id,
}: Pick<ErasureRow, 'account_id' | 'document_id'>): string {
  return `${account_id}/${document_id}`
}
