import type { Facts } from '../tax/book/facts.ts'
import { KINDS } from './fact-kinds.ts'

type PackedCell = string | number | boolean | null
type Table = { columns: string[]; rows: PackedCell[][] }
type Packed = { version: string; recorded_at: string; texts: string[]; tables: Record<string, Table> }

/** Facts as one compact text: a table a kind, and every text that recurs written once. */
export function packFacts(facts: Facts): string {
  const texts = new Map<string, number>()
  const tables: Record<string, Table> = {}
  for (const kind of KINDS) {
    const records: Record<string, PackedCell>[] = facts[kind]
    // Of all records: one that has a field more than the first must not lose it.
    const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
    tables[kind] = {
      columns,
      rows: records.map((record) => columns.map((column) => pack(record[column] ?? null, texts))),
    }
  }
  const packed: Packed = {
    version: facts.version,
    recorded_at: facts.recorded_at,
    texts: [...texts.keys()],
    tables,
  }
  return JSON.stringify(packed)
}

/** What `packFacts` made, unpacked. */
export function unpackFacts(text: string): Facts {
  const packed: Packed = JSON.parse(text)
  const unpacked = Object.fromEntries(
    KINDS.map((kind) => {
      const { columns, rows } = packed.tables[kind] ?? { columns: [], rows: [] }
      return [
        kind,
        rows.map((row) =>
          Object.fromEntries(
            columns.map((column, index) => [column, unpack(row[index] ?? null, packed.texts)]),
          ),
        ),
      ]
    }),
  )
  return { version: packed.version, recorded_at: packed.recorded_at, ...unpacked } as Facts
}

/** A text becomes the index of its first appearance, marked by `#`. */
function pack(cell: PackedCell, texts: Map<string, number>): PackedCell {
  if (typeof cell !== 'string') return cell
  const index = texts.get(cell) ?? texts.size
  texts.set(cell, index)
  return `#${index}`
}

function unpack(cell: PackedCell, texts: readonly string[]): PackedCell {
  return typeof cell === 'string' ? (texts[Number(cell.slice(1))] ?? null) : cell
}
