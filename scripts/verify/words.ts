import type { BooksDb } from '../../src/platform/database/databases.ts'
import { everywhere } from '../../src/sales/sealed/read-sealed.ts'
import { ID_LENGTH, readWords } from '../../src/sales/transactions/sale/words-store.ts'
import { type BoundChests, sealedSource } from './chests.ts'
import { readNamedWords } from './words-store.ts'

const PAGE = 1_000

/**
 * The sales of an account of which the database lacks words that they name. `left_out`: without its sealed
 * sales.
 */
export async function salesWithoutWords(
  books: BooksDb,
  account_id: string,
  bound: BoundChests & { left_out?: true } = {},
): Promise<string[]> {
  const known = await knownWords(books)
  const source = bound.left_out ? null : await sealedSource(books, account_id, bound)
  const read = async (some: BooksDb) => withoutWords(some, account_id, known)
  return source === null ? read(books) : (await everywhere(source, { from: '', before: '~' }, read)).flat()
}

async function withoutWords(
  books: BooksDb,
  account_id: string,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const faults: string[] = []
  for (let after = { transaction_date: '', id: '' }; ;) {
    const page = await readNamedWords(books, account_id, after)
    for (const { id, shared, invoice } of page) {
      const named = [...idsIn(shared), ...(invoice === null ? [] : [invoice])]
      if (!named.every((each) => known.has(each))) faults.push(id)
    }
    const last = page.at(-1)
    if (last === undefined) return faults
    after = last
  }
}

function idsIn(shared: string): string[] {
  return Array.from({ length: Math.ceil(shared.length / ID_LENGTH) }, (_, index) =>
    shared.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH),
  )
}

async function knownWords(books: BooksDb): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let after = ''; ;) {
    const page = await readWords(books, after, PAGE)
    for (const { id } of page) known.add(id)
    const last = page.at(-1)
    if (last === undefined) return known
    after = last.id
  }
}
