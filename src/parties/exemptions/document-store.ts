import { atHome, notHeld } from '../../platform/database/home.ts'
import type { Context } from '../../platform/context.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import type { StoredExemption } from './exemption.ts'
import { EXEMPTION_COLUMNS } from './store.ts'

/** An exemption with its customer and the id of its file. */
export type ExemptionOnFile = StoredExemption & { customer_id: string; document_id: string | null }

/** Throws not_found. */
export async function readExemptionOnFile(
  { books, principal }: Context,
  id: string,
): Promise<ExemptionOnFile> {
  const row = await books
    .prepare(
      `SELECT ${EXEMPTION_COLUMNS}, customer_id, document_id FROM exemptions WHERE account_id = ? AND id = ?`,
    )
    .bind(principal.account_id, id)
    .first<ExemptionOnFile>()
  if (row === null) throw new ApiError('not_found')
  return row
}

export type ErasureRow = {
  account_id: string
  document_id: string
  due_at: string
  in_bucket: 0 | 1
  bytes: number
}

export function insertErasure({ books }: Context, row: ErasureRow): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO document_erasures (account_id, document_id, due_at, in_bucket, bytes)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .bind(row.account_id, row.document_id, row.due_at, row.in_bucket, row.bytes)
}

export function insertPart(
  { books, principal }: Context,
  document_id: string,
  position: number,
  content: string,
): D1PreparedStatement {
  return books
    .prepare('INSERT INTO document_parts (account_id, document_id, position, content) VALUES (?, ?, ?, ?)')
    .bind(principal.account_id, document_id, position, content)
}

/** Characters of a part of a file, from `begin` on; null: the books have no such part. */
export async function readPart(
  { books, principal }: Context,
  document_id: string,
  { position, begin, length }: { position: number; begin: number; length: number },
): Promise<string | null> {
  return books
    .prepare(
      `SELECT substr(content, ?, ?) AS content FROM document_parts
        WHERE account_id = ? AND document_id = ? AND position = ?`,
    )
    .bind(begin + 1, length, principal.account_id, document_id, position)
    .first<string>('content')
}

/**
 * Gives the stored file to the exemption. Fails its batch if the job may delete the file: the job reads rows
 * that are due, and deletes their files a moment later. So a file is kept only while its row is not due.
 */
export function keepFile({ books, principal }: Context, document_id: string): D1PreparedStatement[] {
  const kept = books
    .prepare('DELETE FROM document_erasures WHERE account_id = ? AND document_id = ? AND due_at > ?')
    .bind(principal.account_id, document_id, new Date().toISOString())
  return guarded(books, kept, 'not_found')
}

/** Writes the fields of the file. Fails its batch with concurrent_change if the exemption has changed. */
export function replaceDocument(
  { books, principal }: Context,
  before: ExemptionOnFile,
  after: ExemptionOnFile,
): D1PreparedStatement[] {
  const replaced = books
    .prepare(
      `UPDATE exemptions SET document_id = ?, document_type = ?, document_bytes = ?, document_sha256 = ?,
         updated_at = ?
       WHERE account_id = ? AND id = ? AND updated_at = ?`,
    )
    .bind(
      after.document_id,
      after.document_type,
      after.document_bytes,
      after.document_sha256,
      after.updated_at,
      principal.account_id,
      before.id,
      before.updated_at,
    )
  return guarded(books, replaced, 'concurrent_change')
}

/**
 * Deletes the files of exemptions: from the books at once, from the bucket by the next job. Put it before the
 * change of the exemptions. Fails its batch with legal_hold.
 */
export function dropDocuments(
  {
    books,
    principal,
    now,
  }: Pick<Context, 'books' | 'now'> & { principal: Pick<Context['principal'], 'account_id'> },
  column: 'id' | 'customer_id',
  value: string,
): D1PreparedStatement[] {
  const owner = [principal.account_id, value]
  const free: string = notHeld('?')
  return [
    required(books, free, [principal.account_id], 'legal_hold'),
    books
      .prepare(
        `UPDATE account_usage SET document_bytes = max(0, document_bytes - coalesce(
           (SELECT sum(document_bytes) FROM exemptions WHERE account_id = ?1 AND ${column} = ?2), 0))
         WHERE account_id = ?1`,
      )
      .bind(...owner),
    books
      .prepare(
        `INSERT INTO document_erasures (account_id, document_id, due_at, in_bucket)
         SELECT account_id, document_id, ?3, 1 FROM exemptions
         WHERE account_id = ?1 AND ${column} = ?2 AND ${IN_BUCKET}`,
      )
      .bind(...owner, now.toISOString()),
    books
      .prepare(
        `DELETE FROM document_parts WHERE account_id = ?1 AND document_id IN
           (SELECT document_id FROM exemptions WHERE account_id = ?1 AND ${column} = ?2)`,
      )
      .bind(...owner),
  ]
}

/** Of an exemption: it has a file, and the books do not contain it. */
const IN_BUCKET = `document_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM document_parts part
  WHERE part.account_id = exemptions.account_id AND part.document_id = exemptions.document_id)`

/** Lets the job delete all files of an erased account from the bucket. Put it before the erasures. */
export function eraseFilesLater(books: BooksDb, account_id: string, at: string): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO document_erasures (account_id, document_id, due_at, in_bucket)
       SELECT account_id, document_id, ?2, 1 FROM exemptions WHERE account_id = ?1 AND ${IN_BUCKET}
       ON CONFLICT DO NOTHING`,
    )
    .bind(account_id, at)
}

/** A file in the books: the account and its id. */
type FileKey = Pick<ErasureRow, 'account_id' | 'document_id'>

/** The files of a page, after one of them, by account and id. */
export async function readFilesAfter(books: BooksDb, after: FileKey, limit: number): Promise<FileKey[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, document_id FROM document_parts
       WHERE (account_id, document_id, position) > (?1, ?2, 1000) AND position = 0
       ORDER BY account_id, document_id LIMIT ?3`,
    )
    .bind(after.account_id, after.document_id, limit)
    .all<FileKey>()
  return results
}

/** Lets the job delete those of these files that no exemption has, and no upload or erasure either. */
export async function eraseOwnerless(books: BooksDb, files: readonly FileKey[], now: Date): Promise<void> {
  await books
    .prepare(
      `INSERT INTO document_erasures (account_id, document_id, due_at, in_bucket, bytes)
       SELECT account_id, document_id, ?2, 0,
         sum(length(content) / 4 * 3 - (length(content) - length(rtrim(content, '='))))
       FROM document_parts part
       WHERE (account_id, document_id) IN
           (SELECT value ->> 'account_id', value ->> 'document_id' FROM json_each(?1))
         AND NOT EXISTS (SELECT 1 FROM exemptions
           WHERE exemptions.document_id = part.document_id AND exemptions.account_id = part.account_id)
         AND ${atHome('part.account_id')}
       GROUP BY account_id, document_id
       ON CONFLICT DO NOTHING`,
    )
    .bind(JSON.stringify(files), now.toISOString())
    .run()
}

/**
 * The same for files in the bucket, of accounts whose books are here. They go at `due_at`: until then, a
 * restore can be undone.
 */
export async function eraseOwnerlessInBucket(
  books: BooksDb,
  files: readonly FileKey[],
  due_at: string,
): Promise<void> {
  await books
    .prepare(
      `INSERT INTO document_erasures (account_id, document_id, due_at, in_bucket)
       SELECT value ->> 'account_id', value ->> 'document_id', ?2, 1 FROM json_each(?1) file
       WHERE NOT EXISTS (SELECT 1 FROM exemptions
           WHERE exemptions.document_id = value ->> 'document_id'
             AND exemptions.account_id = value ->> 'account_id')
         AND ${atHome("value ->> 'account_id'")}
       ON CONFLICT DO NOTHING`,
    )
    .bind(JSON.stringify(files), due_at)
    .run()
}

/** Files of all accounts that are to be deleted now, the earliest first. */
export async function readDueErasures(
  books: BooksDb,
  now: Date,
  has_bucket: boolean,
  limit: number,
): Promise<ErasureRow[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, document_id, due_at, in_bucket, bytes FROM document_erasures
       WHERE due_at <= ?1 AND in_bucket <= ?2 AND ${atHome('document_erasures.account_id')}
         AND ${notHeld('document_erasures.account_id')}
       ORDER BY due_at LIMIT ?3`,
    )
    .bind(now.toISOString(), has_bucket ? 1 : 0, limit)
    .all<ErasureRow>()
  return results
}

/** Lets the next job delete the file of an upload that failed. A file that an exemption has got stays. */
export function eraseSoon(
  { books, now }: Context,
  { account_id, document_id }: ErasureRow,
): D1PreparedStatement {
  return books
    .prepare('UPDATE document_erasures SET due_at = ?3 WHERE account_id = ?1 AND document_id = ?2')
    .bind(account_id, document_id, now.toISOString())
}

/**
 * Deletes files from the books, with their rows and their bytes, if the books of their account are here.
 * Three statements, however many files: the free plan bounds the statements of a tick.
 */
export function eraseFiles(books: BooksDb, files: readonly ErasureRow[]): D1PreparedStatement[] {
  const of = JSON.stringify(files.map(({ account_id, document_id }) => ({ account_id, document_id })))
  const among = `(account_id, document_id) IN
    (SELECT value ->> 'account_id', value ->> 'document_id' FROM json_each(?1))`
  return [
    books
      .prepare(`DELETE FROM document_parts WHERE ${among} AND ${atHome('document_parts.account_id')}`)
      .bind(of),
    books
      .prepare(
        `UPDATE account_usage SET document_bytes = max(0, document_bytes - erased.bytes)
         FROM (SELECT account_id, sum(bytes) AS bytes FROM document_erasures WHERE ${among}
               GROUP BY account_id) erased
         WHERE account_usage.account_id = erased.account_id AND ${atHome('account_usage.account_id')}`,
      )
      .bind(of),
    books
      .prepare(`DELETE FROM document_erasures WHERE ${among} AND ${atHome('document_erasures.account_id')}`)
      .bind(of),
  ]
}
