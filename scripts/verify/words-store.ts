import type { BooksDb } from '../../src/platform/database/databases.ts'

const PAGE = 2_000

/** The ids of words that a sale names: those of its steps in one text, and that of its invoice. */
type NamedWords = { id: string; transaction_date: string; shared: string; invoice: string | null }

/** The next sales of an account by date, after one. */
export async function readNamedWords(
  books: BooksDb,
  account_id: string,
  after: Pick<NamedWords, 'id' | 'transaction_date'>,
): Promise<NamedWords[]> {
  const { results } = await books
    .prepare(
      `SELECT id, transaction_date, coalesce(reasons ->> '$.shared', '') AS shared,
         facts ->> '$.invoice.words' AS invoice
       FROM transactions WHERE account_id = ? AND (transaction_date, id) > (?, ?)
       ORDER BY transaction_date, id LIMIT ${PAGE}`,
    )
    .bind(account_id, after.transaction_date, after.id)
    .all<NamedWords>()
  return results
}
