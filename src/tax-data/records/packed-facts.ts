import type { Facts } from '../../engine/book/facts.ts'
import { at } from '../../engine/ground/invariant.ts'
import { type Kind, KINDS } from './fact-kinds.ts'

type PackedCell = string | number | boolean | null
/** A column in which all records have one value is that value. Texts are their indexes. */
type Column =
  | { all: PackedCell }
  | { texts: (number | null)[] }
  | { cells: PackedCell[] }
  | { id_of: string[] }
  /** Values that follow each other, each with how often it does. `of` tells whether they are texts. */
  | { runs: PackedCell[]; of: 'texts' | 'cells' }
type Table = { length: number; columns: Record<string, Column> }
/** The form of earlier versions, which KV still has: a text is its index, marked by `#`. */
type TableOfRows = { columns: string[]; rows: PackedCell[][] }
type Packed = {
  version: string
  recorded_at: string
  texts: string[]
  tables: Record<string, Table | TableOfRows>
}

/** The ids of these facts are made of their kind and of these fields, so they need not be written. */
const ID_OF: Partial<Record<Kind, readonly [kind: string, ...fields: string[]]>> = {
  rates: ['rate', 'jurisdiction_id', 'tax_type', 'category', 'effective_from'],
  product_rules: ['rule', 'jurisdiction_id', 'tax_type', 'product_type', 'customer_type', 'effective_from'],
}

type Unpacked = Record<string, PackedCell>

/** As `factId` writes it, in half of the time: a cold isolate makes five thousand of them. */
function idOf(record: Unpacked, id_of: readonly string[]): string {
  let id = id_of[0] ?? ''
  for (let index = 1; index < id_of.length; index += 1) id += `:${record[at(id_of, index)] ?? 'always'}`
  return id.toLowerCase()
}

/** Facts as one compact text: one table per kind, by columns, and each text is written once. */
export function packFacts(facts: Facts): string {
  const texts = new Map<string, number>()
  const tables: Record<string, Table> = {}
  for (const kind of KINDS) {
    const records: Record<string, PackedCell>[] = facts[kind]
    // From all records, because a record may have a field that the first one lacks.
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
    const id_of = ID_OF[kind]
    const made = id_of !== undefined && records.every((record) => record['id'] === idOf(record, id_of))
    const packed = names.map((name): [string, Column] =>
      made && name === 'id'
        ? [name, { id_of: [...id_of] }]
        : [
            name,
            packColumn(
              records.map((record) => record[name] ?? null),
              texts,
            ),
          ],
    )
    tables[kind] = { length: records.length, columns: Object.fromEntries(packed) }
  }
  const packed: Packed = {
    version: facts.version,
    recorded_at: facts.recorded_at,
    texts: [...texts.keys()],
    tables,
  }
  return JSON.stringify(packed)
}

function packColumn(cells: PackedCell[], texts: Map<string, number>): Column {
  const [first = null] = cells
  if (cells.every((cell) => cell === first)) return { all: first }
  if (!cells.every((cell) => cell === null || typeof cell === 'string'))
    return shorter(cells, 'cells') ?? { cells }
  const indexes = cells.map((cell) => (typeof cell === 'string' ? indexOf(cell, texts) : null))
  return shorter(indexes, 'texts') ?? { texts: indexes }
}

/** The column as runs, because the records of a place follow each other. Null: it is not shorter. */
function shorter(cells: readonly PackedCell[], of: 'texts' | 'cells'): Column | null {
  const runs: PackedCell[] = []
  for (const [index, cell] of cells.entries()) {
    if (index > 0 && cell === cells[index - 1]) runs[runs.length - 1] = Number(runs.at(-1)) + 1
    else runs.push(cell, 1)
  }
  return runs.length < cells.length ? { runs, of } : null
}

function indexOf(text: string, texts: Map<string, number>): number {
  const index = texts.get(text) ?? texts.size
  texts.set(text, index)
  return index
}

/** The facts of a text that `packFacts` wrote, of this version or an earlier one. */
export function unpackFacts(text: string): Facts {
  const packed: Packed = JSON.parse(text)
  const unpacked = Object.fromEntries(
    KINDS.map((kind) => {
      const table = packed.tables[kind] ?? { length: 0, columns: {} }
      return [kind, 'rows' in table ? readRows(table, packed.texts) : readColumns(table, packed.texts)]
    }),
  )
  return { version: packed.version, recorded_at: packed.recorded_at, ...unpacked } as Facts
}

/**
 * Column by column into copies of one record, which has the values that all have. This is a cold isolate's
 * largest piece of work: record by record, it took twice as long.
 */
function readColumns({ length, columns }: Table, texts: readonly string[]): Unpacked[] {
  const entries = Object.entries(columns)
  const alike: Unpacked = Object.fromEntries(
    entries.map(([name, column]) => [name, 'all' in column ? column.all : null]),
  )
  const records = Array.from({ length }, () => ({ ...alike }))
  for (const [name, column] of entries) fillColumn(records, name, column, texts)
  const id = columns['id']
  if (id !== undefined && 'id_of' in id) for (const record of records) record['id'] = idOf(record, id.id_of)
  return records
}

function fillColumn(records: Unpacked[], name: string, column: Column, texts: readonly string[]): void {
  const textAt = (index: PackedCell | undefined) => texts[Number(index ?? -1)] ?? null
  if ('cells' in column)
    for (const [index, record] of records.entries()) record[name] = column.cells[index] ?? null
  else if ('texts' in column)
    for (const [index, record] of records.entries()) record[name] = textAt(column.texts[index])
  else if ('runs' in column) {
    let index = 0
    for (let run = 0; run < column.runs.length; run += 2) {
      const cell = column.runs[run]
      const value = column.of === 'cells' ? (cell ?? null) : textAt(cell)
      const end = index + Number(column.runs[run + 1])
      for (; index < end; index += 1) if (value !== null) at(records, index)[name] = value
    }
  }
}

function readRows({ columns, rows }: TableOfRows, texts: readonly string[]): Unpacked[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, unpackCell(row[index] ?? null, texts)])),
  )
}

function unpackCell(cell: PackedCell, texts: readonly string[]): PackedCell {
  return typeof cell === 'string' ? (texts[Number(cell.slice(1))] ?? null) : cell
}
