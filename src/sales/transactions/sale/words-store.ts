import { allColumnsOf } from '../../../platform/database/column-list.ts'
import type { BooksDb } from '../../../platform/database/databases.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'

/** What many sales say in the same words, as JSON. `id`: the first bytes of its hash. */
export type SharedWords = { id: string; words: string }

/** The length of an id: 72 bits in base64. */
export const ID_LENGTH = 12

const ROW = allColumnsOf<SharedWords>()('id, words')

/**
 * Keeps words that sales of the same batch name. Words that the database has cost no row. They are sent with
 * each write: so no isolate believes that a database has words which it lost, e.g. when it was set back.
 */
export function keepWords(books: BooksDb, shared: readonly SharedWords[]): D1PreparedStatement[] {
  const each = new Map(shared.map((one) => [one.id, one]))
  return insertRows(books, 'words_of_sales', [...each.values()], 'OR IGNORE')
}

/** A page of all shared words after an id, by id. */
export async function readWords(books: BooksDb, after: string, limit: number): Promise<SharedWords[]> {
  const { results } = await books
    .prepare(`SELECT ${ROW} FROM words_of_sales WHERE id > ? ORDER BY id LIMIT ?`)
    .bind(after, limit)
    .all<SharedWords>()
  return results
}

/** The view of an invoice as a sale keeps it, with its words. A sale whose words are missing is a fault. */
const wholeView = <Column extends string>(facts: Column) =>
  `json(coalesce((SELECT json_object(
      'tax_scheme', words -> '$.tax_scheme', 'country', words -> '$.country',
      'lines', ${facts} -> '$.invoice.lines', 'treatments', words -> '$.treatments',
      'numbers', words -> '$.numbers', 'registration_numbers', ${facts} -> '$.invoice.registration_numbers')
    FROM words_of_sales WHERE words_of_sales.id = ${facts} ->> '$.invoice.words'),
    'words of a sale are missing'))` as const

/** The column `facts` of a sale as it was recorded, also if the words of its invoice are kept apart. */
export const wholeFacts = <Column extends string>(facts: Column) =>
  `iif(${facts} -> '$.invoice' IS NULL, ${facts},
    json_set(json_remove(${facts}, '$.invoice'), '$.einvoice', ${wholeView(facts)}))` as const
