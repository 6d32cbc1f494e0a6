import { z } from 'zod'
import { sha256 } from '../../src/platform/kit/sha256.ts'
import {
  folderOf,
  type Manifest,
  type ManifestPart,
  type PartOfTable,
} from '../../src/service/backups/manifest.ts'

/**
 * The bytes of a part, as it is stored and as it is read: a row of D1 has at most 2 MB, and a character has
 * up to six bytes as JSON. A part of more is no part, and a small file that grows to more is a bomb.
 */
const PART_BYTES_MAX = 13_000_000

const ManifestFields = z.object({
  run: z.string().max(100),
  shard: z.int(),
  shards: z.array(z.int().min(0)).max(1_000),
  release: z.string(),
  begun_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  parts: z.array(
    z.object({ key: z.string(), table: z.string(), rows: z.int().min(0), sha256: z.string().length(64) }),
  ),
})

const PartFields = z.object({
  columns: z.array(z.string()).min(1),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
})

/**
 * The manifest of a database in a run, with its parts in the order in which they were written. Throws an
 * Error if it is of another run, database or installation, or if a part is missing before the last one of its
 * table, is there twice, or lies elsewhere.
 */
export function checkedManifest(
  found: unknown,
  run: string,
  { shard, shards }: { shard: number; shards: readonly number[] },
): Manifest {
  const name = `The manifest of database ${shard} in ${run}`
  const read = ManifestFields.safeParse(found)
  if (!read.success) return damaged(name, read.error)
  const manifest = read.data
  if (manifest.run !== run || manifest.shard !== shard)
    throw new Error(`${name} is of database ${manifest.shard} in ${manifest.run}`)
  if (manifest.shards.join() !== shards.join())
    throw new Error(`${name} is of an installation with other databases: ${manifest.shards.join(', ')}`)
  const parts = manifest.parts.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const counts = new Map<string, number>()
  for (const { key, table } of parts) {
    const number = counts.get(table) ?? 0
    const expected = `${folderOf(run, shard)}${table}/${String(number).padStart(6, '0')}.json.gz`
    if (key !== expected) throw new Error(`${name} has ${key} in place of ${expected}`)
    counts.set(table, number + 1)
  }
  return { ...manifest, parts }
}

/**
 * The content of a part, if its bytes are those of the manifest and its rows those of a table with these
 * columns. It is read no further than a part can go. Throws an Error.
 */
export async function checkedPart(
  stored: R2ObjectBody,
  { key, sha256: hash, rows }: ManifestPart,
  columns: readonly string[],
): Promise<PartOfTable> {
  if (stored.size > PART_BYTES_MAX) throw new Error(`${key} is larger than any part of a backup`)
  const bytes = new Uint8Array(await stored.arrayBuffer())
  if ((await sha256(bytes)) !== hash)
    throw new Error(`${key} was changed: it has another hash than the manifest`)
  const part = await unpacked(bytes, key)
  const other = part.columns.find((column) => !columns.includes(column))
  if (other !== undefined) throw new Error(`${key} has the column ${other}, which its table does not have`)
  if (part.rows.length !== rows) throw new Error(`${key} has ${part.rows.length} rows in place of ${rows}`)
  if (part.rows.some(({ length }) => length !== part.columns.length))
    throw new Error(`${key} has a row with other columns`)
  return part
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>, key: string): Promise<PartOfTable> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read().catch((cause: unknown) => damaged(key, cause))
    if (done) break
    size += value.length
    if (size > PART_BYTES_MAX) {
      await reader.cancel()
      throw new Error(`${key} grows larger than any part of a backup`)
    }
    pieces.push(Uint8Array.from(value))
  }
  try {
    return PartFields.parse(JSON.parse(await new Blob(pieces).text()))
  } catch (cause) {
    return damaged(key, cause)
  }
}

function damaged(what: string, cause: unknown): never {
  throw new Error(`${what} is damaged`, { cause })
}
