import { deleteRows } from './delete-store.ts'
import type { BooksDb } from '../database/databases.ts'
import { MOVED_TABLES, type MovedTable } from './tables.ts'

/** Deletes the rows of an account, children first, while `goOn` allows it. Returns whether all are gone. */
export async function deleteCopy(
  books: BooksDb,
  account_id: string,
  goOn: () => boolean,
  keep: (table: MovedTable) => boolean = () => false,
): Promise<boolean> {
  for (const table of MOVED_TABLES.toReversed()) {
    if (keep(table)) continue
    do {
      if (!goOn()) return false
    } while (await deleteRows(books, table, account_id))
  }
  return true
}
