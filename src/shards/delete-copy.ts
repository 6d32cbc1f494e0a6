import { deleteRows } from './delete-store.ts'
import { BOOKS_TABLES, type BooksTable } from './tables.ts'

/** Deletes the rows of an account, children first, while `goOn` allows it. Returns whether all are gone. */
export async function deleteCopy(
  books: D1Database,
  account_id: string,
  goOn: () => boolean,
  keep: (table: BooksTable) => boolean = () => false,
): Promise<boolean> {
  for (const table of BOOKS_TABLES.toReversed()) {
    if (keep(table)) continue
    do {
      if (!goOn()) return false
    } while (await deleteRows(books, table, account_id))
  }
  return true
}
