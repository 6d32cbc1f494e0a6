import { deleteRows, readFilled } from './delete-store.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { MOVED_TABLES, type MovedTable } from './tables.ts'

/** Whose rows are deleted, and where. `allowed` fails the batch of each slice unless that is still right. */
type Erasure = {
  books: BooksDb
  account_id: string
  allowed: () => D1PreparedStatement
  /** Tables whose rows stay. */
  keep?: (table: MovedTable) => boolean
}

/**
 * Deletes the rows of an account, children first, while `goOn` allows it: it is asked before each slice.
 * Empty tables cost none, so that each tick comes further, however many tables there are. Returns whether
 * all are gone.
 */
export async function deleteCopy(
  { books, account_id, allowed, keep = () => false }: Erasure,
  goOn: () => Promise<boolean>,
): Promise<boolean> {
  const tables = MOVED_TABLES.toReversed().filter((table) => !keep(table))
  const filled = await readFilled(books, tables, account_id)
  for (const table of tables) {
    if (!filled.has(table.table)) continue
    do {
      if (!(await goOn())) return false
    } while (await deleteRows(books, table, account_id, allowed()))
  }
  return true
}
