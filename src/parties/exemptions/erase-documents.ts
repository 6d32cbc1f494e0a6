import type { Bindings } from '../../platform/bindings.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { pagesOfJob } from '../../platform/database/pages-of-job.ts'
import {
  eraseFiles,
  eraseOwnerless,
  eraseOwnerlessInBucket,
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

const OBJECTS_OF_PAGE = 500
/** An upload has its row before its file, so a young file without an owner is one of another database. */
const YOUNG_MS = 86_400_000
const UNDONE_MS = 7 * 86_400_000

/**
 * The same for the bucket: a restore of the books forgets the files that were stored since. They go a week
 * later, because the restore may be undone.
 */
export async function findOwnerlessInBucket(
  { CERTIFICATES }: Bindings,
  books: BooksDb,
  now: Date,
  begin: boolean,
): Promise<void> {
  if (CERTIFICATES === undefined) return
  const due_at = new Date(now.getTime() + UNDONE_MS).toISOString()
  await pagesOfJob(books, { name: 'ownerless_in_bucket', begin }, async (after) => {
    const { objects } = await CERTIFICATES.list({
      limit: OBJECTS_OF_PAGE,
      ...(after !== '' && { startAfter: after }),
    })
    const old = objects.filter(({ uploaded }) => now.getTime() - uploaded.getTime() > YOUNG_MS)
    const files = old.map(({ key }) => {
      const [account_id = '', document_id = ''] = key.split('/')
      return { account_id, document_id }
    })
    if (files.length > 0) await eraseOwnerlessInBucket(books, files, due_at)
    return objects.length < OBJECTS_OF_PAGE ? null : (objects.at(-1)?.key ?? null)
  })
}

/** The key of a file in the bucket. */
export function bucketKey({
  account_id,
  document_id,
}: Pick<ErasureRow, 'account_id' | 'document_id'>): string {
  return `${account_id}/${document_id}`
}
