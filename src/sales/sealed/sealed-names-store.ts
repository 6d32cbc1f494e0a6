import type { BooksDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import { refHash, REFS_OF_ACCOUNT } from './ref-hash.ts'

const FOUND = `json_each(?2) named JOIN chest_refs ON chest_refs.hash = named.value ->> 'hash'
  WHERE chest_refs.account = ${REFS_OF_ACCOUNT}` as const

function hashesOf(account_id: string, external_ids: readonly string[]): string {
  return JSON.stringify(
    external_ids.map((external_id) => ({ external_id, hash: refHash(account_id, { external_id }) })),
  )
}

/**
 * A statement that fails its batch with external_id_taken if a sealed sale has one of these external ids: no
 * index of the books knows them.
 */
export function refuseSealed(
  books: BooksDb,
  account_id: string,
  external_ids: readonly string[],
): D1PreparedStatement {
  const values = [account_id, hashesOf(account_id, external_ids)]
  return required(books, `NOT EXISTS (SELECT 1 FROM ${FOUND})`, values, 'external_id_taken')
}

/** Those of some external ids that sealed sales have. */
export async function findSealed(
  books: BooksDb,
  account_id: string,
  external_ids: readonly string[],
): Promise<string[]> {
  const { results } = await books
    .prepare(`SELECT named.value ->> 'external_id' AS external_id FROM ${FOUND}`)
    .bind(account_id, hashesOf(account_id, external_ids))
    .all<{ external_id: string }>()
  return results.map(({ external_id }) => external_id)
}
