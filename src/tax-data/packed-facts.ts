import type { Facts } from '../tax/book/facts.ts'
import { KINDS } from './fact-kinds.ts'

type PackedCell = string | number | boolean | null
type Table = { columns: string[]; rows: PackedCell[][] }
type Packed = { version: string; recorded_at: string; texts: string[]; tables: Record<string, Table> }

/** Facts as one compact text: one table per kind, and each text is written once. */
export function packFacts(facts: Facts): string {
  const texts = new Map<string, number>()
  const tables: Record<string, Table> = {}
  for (const kind of KINDS) {
    const records: Record<string, PackedCell>[] = facts[kind]
    // From all records, because a record may have a field that the first one lacks.
    const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
    tables[kind] = {
      columns,
      rows: records.map((record) => columns.map((column) => packCell(record[column] ?? null, texts))),
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

/** The facts of a text that `packFacts` wrote. */
export function unpackFacts(text: string): Facts {
  const packed: Packed = JSON.parse(text)
  const unpacked = Object.fromEntries(
    KINDS.map((kind) => {
      const { columns, rows } = packed.tables[kind] ?? { columns: [], rows: [] }
      return [
        kind,
        rows.map((row) =>
          Object.fromEntries(
            columns.map((column, index) => [column, unpackCell(row[index] ?? null, packed.texts)]),
          ),
        ),
      ]
    }),
  )
  return { version: packed.version, recorded_at: packed.recorded_at, ...unpacked } as Facts
}

/** A text becomes the index of its first appearance, marked by `#`. */
function packCell(cell: PackedCell, texts: Map<string, number>): PackedCell {
  if (typeof cell !== 'string') return cell
  const index = texts.get(cell) ?? texts.size
  texts.set(cell, index)
  return `#${index}`
}

function unpackCell(cell: PackedCell, texts: readonly string[]): PackedCell {
  return typeof cell === 'string' ? (texts[Number(cell.slice(1))] ?? null) : cell
}
