import { packJson, unpackJson } from '../../platform/kit/chest-bytes.ts'

/** Rows of a table as they were in the database, with their columns, so that later columns do no harm. */
export type RowsOfTable = { columns: readonly string[]; rows: readonly (readonly ValueOfRow[])[] }
export type ValueOfRow = string | number | null

/** Sales by their ids and external ids. */
export type NamedSales = { ids: readonly string[]; external_ids: readonly string[] }

/** The tables of which a chest has rows. */
export const CHEST_TABLES = ['transactions', 'transaction_lines'] as const
export type Block = Readonly<Record<(typeof CHEST_TABLES)[number], RowsOfTable>>

/** A block in the bytes of its chest. */
type PlaceOfBlock = { offset: number; bytes: number; sha256: string }

/** The bytes of a chest: its blocks one after the other, each a gzip of JSON that can be read alone. */
export async function packChest(
  blocks: readonly Block[],
): Promise<{ bytes: Uint8Array<ArrayBuffer>; places: PlaceOfBlock[] }> {
  const places: PlaceOfBlock[] = []
  const parts: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const block of blocks) {
    const { bytes, sha256 } = await packJson(block)
    parts.push(bytes)
    places.push({ offset, bytes: bytes.length, sha256 })
    offset += bytes.length
  }
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), places }
}

/** The rows of a block; null: the bytes are not those that were written. */
export async function unpackBlock(bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<Block | null> {
  return unpackJson<Block>(bytes, hash)
}

/** The rows of a block of the sales with these names. */
export function onlyNamed(block: Block, { ids, external_ids }: NamedSales): Block {
  const [by_id, by_name] = [new Set(ids), new Set(external_ids)]
  const { transactions, transaction_lines } = block
  const valueOf = ({ columns }: RowsOfTable, row: readonly ValueOfRow[], name: string) =>
    String(row[columns.indexOf(name)] ?? '')
  const rows = transactions.rows.filter(
    (row) =>
      by_id.has(valueOf(transactions, row, 'id')) || by_name.has(valueOf(transactions, row, 'external_id')),
  )
  const kept = new Set(rows.map((row) => valueOf(transactions, row, 'id')))
  const lines = transaction_lines.rows.filter((row) =>
    kept.has(valueOf(transaction_lines, row, 'transaction_id')),
  )
  return {
    transactions: { ...transactions, rows },
    transaction_lines: { ...transaction_lines, rows: lines },
  }
}

/** Bytes of rows as JSON that one statement gets, of the 2 MB that it may have. */
export const JSON_MAX = 1_200_000

/** A block in parts that are short enough for a statement, with their bytes as JSON. */
export function partsOf(block: Block): { block: Block; bytes: number }[] {
  const { columns, rows } = block.transactions
  const bytes = new TextEncoder().encode(JSON.stringify(block)).length
  if (bytes <= JSON_MAX || rows.length <= 1) return [{ block, bytes }]
  const ids = rows.map((row) => String(row[columns.indexOf('id')]))
  const half = Math.ceil(ids.length / 2)
  return [ids.slice(0, half), ids.slice(half)].flatMap((some) =>
    partsOf(onlyNamed(block, { ids: some, external_ids: [] })),
  )
}

/** The rows of a table as objects. */
export function objectsOf({ columns, rows }: RowsOfTable): Record<string, ValueOfRow>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])))
}
