import type { Facts } from '../../engine/book/facts.ts'
import { type FactsByPlace, madeOnce } from '../../engine/book/rate-book.ts'
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
type Packed = Pick<Facts, 'version' | 'recorded_at' | 'countries'> & {
  texts: string[]
  tables: Record<string, Table>
}

/** The ids of these facts are made of their kind and of these fields, so they need not be written. */
const ID_OF: Partial<Record<Kind, readonly [kind: string, ...fields: string[]]>> = {
  rates: ['rate', 'jurisdiction_id', 'tax_type', 'category', 'effective_from'],
  product_rules: ['rule', 'jurisdiction_id', 'tax_type', 'product_type', 'customer_type', 'effective_from'],
}

type Unpacked = Record<string, PackedCell>

/** As `factId` writes it, in half of the time. */
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
    countries: facts.countries,
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

/** Kinds of facts of which a sale needs those of a few places. */
const KINDS_BY_PLACE: Readonly<Record<keyof FactsByPlace, true>> = {
  rates: true,
  product_rules: true,
  thresholds: true,
}

/**
 * The facts of a text that `packFacts` wrote. Each is unpacked when it is first asked for, with those of its
 * place: to unpack all of them takes a cold isolate as long as fifty sales.
 */
export function unpackFacts(text: string): { facts: Facts; by_place: FactsByPlace } {
  const { version, recorded_at, countries, texts, tables }: Packed = JSON.parse(text)
  const facts: object = { version, recorded_at, countries }
  const by_place: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const { all, byPlace } = readTable(tables[kind] ?? { length: 0, columns: {} }, texts)
    Object.defineProperty(facts, kind, { get: all, enumerable: true })
    if (kind in KINDS_BY_PLACE) by_place[kind] = byPlace()
  }
  return { facts: facts as Facts, by_place: by_place as FactsByPlace }
}

/** The value of a record in one column. */
type CellAt = (index: number) => PackedCell

/** Records as copies of one that has the values that all have. Each is unpacked once. */
function readTable({ length, columns }: Table, texts: readonly string[]) {
  const entries = Object.entries(columns)
  const alike: Unpacked = Object.fromEntries(
    entries.map(([name, column]) => [name, 'all' in column ? column.all : null]),
  )
  const varying = entries.flatMap(([name, column]) =>
    'all' in column || 'id_of' in column ? [] : [{ name, cellAt: cellsOf(column, texts) }],
  )
  const id = columns['id']
  const id_of = id !== undefined && 'id_of' in id ? id.id_of : null
  const indexes = Array.from({ length }, (_, index) => index)
  const records: Unpacked[] = []
  let whole: readonly Unpacked[] | null = null
  const recordAt = (index: number): Unpacked => {
    const known = records[index]
    if (known !== undefined) return known
    const record = { ...alike }
    for (const { name, cellAt } of varying) record[name] = cellAt(index)
    if (id_of !== null) record['id'] = idOf(record, id_of)
    records[index] = record
    return record
  }
  return {
    all: () => (whole ??= indexes.map(recordAt)),
    byPlace: () => {
      const placeAt = cellsOf(columns['jurisdiction_id'] ?? { all: null }, texts)
      const ofPlaces = Map.groupBy(indexes, (index) => String(placeAt(index)))
      return madeOnce(ofPlaces, (own) => own.map(recordAt))
    },
  }
}

function cellsOf(column: Column, texts: readonly string[]): CellAt {
  const textAt = (index: PackedCell | undefined) => texts[Number(index ?? -1)] ?? null
  if ('cells' in column) return (index) => column.cells[index] ?? null
  if ('texts' in column) return (index) => textAt(column.texts[index])
  if (!('runs' in column)) return () => ('all' in column ? column.all : null)
  const cellAt = cellsOfRuns(column.runs)
  return column.of === 'cells' ? cellAt : (index) => textAt(cellAt(index))
}

/** Goes on from the run that was read last: the records of a place follow each other. */
function cellsOfRuns(runs: readonly PackedCell[]): CellAt {
  let run = 0
  let start = 0
  let end = Number(runs[1])
  return (index) => {
    if (index < start) [run, start, end] = [0, 0, Number(runs[1])]
    while (index >= end && run < runs.length) {
      run += 2
      start = end
      end += Number(runs[run + 1])
    }
    return runs[run] ?? null
  }
}
