import { type BooksDb, unchecked } from '../../platform/database/databases.ts'
import { batchAtHome } from '../../platform/database/home.ts'
import type { BlockRow } from './seal-store.ts'
import { type Block, CHEST_TABLES, type NamedSales, objectsOf, type RowsOfTable } from './chest.ts'
import { refHash, REFS_OF_ACCOUNT } from './ref-hash.ts'

/** A block with the key of its object. */
export type FoundBlock = BlockRow & { object: string }

const BLOCKS = `SELECT chest_blocks.*, chests.object FROM chest_blocks
  JOIN chests ON chests.account_id = chest_blocks.account_id AND chests.number = chest_blocks.chest` as const

/** The blocks that have sales with these names, as far as the refs know. */
export async function blocksOfSales(
  books: BooksDb,
  account_id: string,
  { ids, external_ids }: NamedSales,
): Promise<FoundBlock[]> {
  const hashes = [
    ...ids.map((id) => refHash(account_id, { id })),
    ...external_ids.map((external_id) => refHash(account_id, { external_id })),
  ]
  const { results } = await books
    .prepare(
      `${BLOCKS} WHERE chest_blocks.account_id = ?1 AND (chest_blocks.chest, chest_blocks.block) IN (
         SELECT ref.chest, ref.block FROM json_each(?2) named JOIN chest_refs ref ON ref.hash = named.value
         WHERE ref.account = ${REFS_OF_ACCOUNT}) ORDER BY chest_blocks.chest, chest_blocks.block`,
    )
    .bind(account_id, JSON.stringify(hashes))
    .all<FoundBlock>()
  return results
}

/** The ids of sales with this id or external id. */
export async function idsOfName(books: BooksDb, account_id: string, name: string): Promise<string[]> {
  const { results } = await books
    .prepare('SELECT id FROM transactions WHERE account_id = ?1 AND (id = ?2 OR external_id = ?2)')
    .bind(account_id, name)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** A date and an id. */
export type PlaceOfSale = readonly [date: string, id: string]

/** Dates of sales, from the first on and before the second, and the place up to which a list was read. */
export type DateRange = { from: string; before: string; past?: PlaceOfSale | null }

/** Some blocks with sales of some dates in their order, after a block that was read. */
export async function blocksOfDates(
  books: BooksDb,
  account_id: string,
  { from, before, past = null }: DateRange,
  after: FoundBlock | null,
  { newest, limit }: { newest: boolean; limit: number },
): Promise<FoundBlock[]> {
  const end = newest ? 'from' : 'to'
  const [beyond, order] = newest ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const)
  const begin: PlaceOfSale = past ?? (newest ? [before, ''] : [from, ''])
  const start: PlaceOfSale = after === null ? begin : [after[`${end}_date`], after[`${end}_id`]]
  const { results } = await books
    .prepare(
      `${BLOCKS} WHERE chest_blocks.account_id = ?1 AND chests.state IN ('verified', 'sealed')
         AND (${end}_date, ${end}_id) ${beyond}${after === null ? '=' : ''} (?2, ?3)
       ORDER BY ${end}_date ${order}, ${end}_id ${order} LIMIT ${limit}`,
    )
    .bind(account_id, ...start)
    .all<FoundBlock>()
  return results.filter((each) => each.to_date >= from && each.from_date < before)
}

/** How often sales of the account were sealed and thawed; null: never. */
export async function readChanges(books: BooksDb, account_id: string): Promise<number | null> {
  return books
    .prepare('SELECT changes FROM sealed_accounts WHERE account_id = ?')
    .bind(account_id)
    .first<number>('changes')
}

/** Brings these sales of a block back into the books. Those that another request has brought back stay. */
export async function putBack(
  books: BooksDb,
  { account_id, chest, block: number }: FoundBlock,
  block: Block,
): Promise<void> {
  const sales = objectsOf(block.transactions)
  const hashes = sales.map(({ id, external_id }) => ({
    id,
    hash: refHash(account_id, { id: String(id) }),
    other: external_id === null ? null : refHash(account_id, { external_id: String(external_id) }),
  }))
  const named = JSON.stringify(hashes)
  const sealed = `SELECT named.value ->> 'id' FROM json_each(?2) named
    JOIN chest_refs ref ON ref.hash = named.value ->> 'hash'
    WHERE ref.account = ${REFS_OF_ACCOUNT} AND ref.chest = ?3 AND ref.block = ?4`
  const bound = [account_id, named, chest, number]
  const own = { transactions: 'id', transaction_lines: 'transaction_id' } as const
  await batchAtHome(books, account_id, [
    unchecked(books)
      .prepare(
        `UPDATE account_usage SET transaction_lines = transaction_lines + (SELECT count(*) FROM json_each(?5)
           WHERE value IN (${sealed})) WHERE account_id = ?1`,
      )
      .bind(
        ...bound,
        JSON.stringify(objectsOf(block.transaction_lines).map((line) => line['transaction_id'])),
      ),
    ...CHEST_TABLES.map((table) =>
      unchecked(books)
        .prepare(insertOf(table, block[table], `${indexOf(block[table], own[table])} IN (${sealed})`))
        .bind(...bound, JSON.stringify(block[table].rows)),
    ),
    unchecked(books)
      .prepare(
        `DELETE FROM chest_refs WHERE account = ${REFS_OF_ACCOUNT} AND chest = ?3 AND block = ?4 AND hash IN (
           SELECT value ->> 'hash' FROM json_each(?2) UNION SELECT value ->> 'other' FROM json_each(?2))`,
      )
      .bind(...bound),
    books.prepare('UPDATE sealed_accounts SET changes = changes + 1 WHERE account_id = ?').bind(account_id),
  ])
}

/** The column of a row of json_each, in SQL. */
function indexOf({ columns }: RowsOfTable, name: string): string {
  return `value ->> '$[${columns.indexOf(name)}]'`
}

function insertOf(table: keyof Block, { columns }: RowsOfTable, only_if: string): string {
  const values = columns.map((_, index) => `value ->> '$[${index}]'`)
  return `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?5) WHERE ${only_if}`
}
