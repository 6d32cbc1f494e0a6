import type { ControlDb } from '../../platform/database/databases.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { keepZip4, publishedLocalVersion, publishLocalBook } from './current-local-book.ts'
import { zip4OfPart } from './local-parts.ts'
import { type LocalPart, readLocalVersion } from './local-store.ts'
import { readBytesOfOthers, readCurrentParts, replaceLocalParts } from './local-writes-store.ts'

export type LocalStore = Pick<Bindings, 'DB' | 'KV'>

/** Characters of the parts of one statement: D1 accepts at most 2 MB in a bound value. */
const TEXT_MAX = 700_000
/** Parts whose contents are compared at once. */
const COMPARED_MAX = 60
/** An isolate has 128 MB, and a book takes some times its bytes. The shipped one has 3 MB. */
const BOOK_BYTES_MAX = 16_000_000
/** Enough time to keep the streets of a state apart, by ZIP3. */
const BOOK_BYTES_ALARM = 8_000_000

/**
 * Records the parts that changed, and publishes the book. Throws an Error, and records nothing, if the book
 * would be too large for an isolate: the one before stays in force. The statements of `also` are part of the
 * last batch. Returns the number of changed parts. Parts with a new name that the book must know come first.
 */
export async function writeLocalParts(
  store: LocalStore,
  parts: readonly LocalPart[],
  now: Date,
  also: (changed: number) => readonly D1PreparedStatement[] = () => [],
): Promise<number> {
  const version = await readLocalVersion(store.DB)
  const recorded_at = after(now, version)
  const changed = await changedOf(store.DB, parts)
  if (changed.length > 0) await limitBook(store.DB, changed)
  const chunks = chunksOf(changed)
  const last = also(changed.length)
  for (const [index, chunk] of chunks.entries()) {
    const rest = index === chunks.length - 1 ? last : []
    await store.DB.batch([...replaceLocalParts(store.DB, chunk, recorded_at), ...rest])
  }
  if (chunks.length === 0 && last.length > 0) await store.DB.batch([...last])
  for (const { part, content } of changed) {
    const key = zip4OfPart(part)
    if (key !== null) await keepZip4(store.KV, key, recorded_at, content)
  }
  const newest = changed.length > 0 ? recorded_at : version
  if (newest !== null && (await publishedLocalVersion(store.KV)) !== newest)
    await publishLocalBook(store, newest)
  return changed.length
}

async function limitBook(db: ControlDb, changed: readonly LocalPart[]): Promise<void> {
  const names = changed.map(({ part }) => part)
  const others = await readBytesOfOthers(db, names)
  const text = changed.map(({ part, content }) => (zip4OfPart(part) === null ? content : '')).join('')
  const bytes = others + new TextEncoder().encode(text).length
  if (bytes > BOOK_BYTES_MAX)
    throw new Error(`The local book would have ${bytes} bytes: the limit is ${BOOK_BYTES_MAX}`)
  if (bytes <= BOOK_BYTES_ALARM) return
  const message = `The local book has ${bytes} bytes: above ${BOOK_BYTES_MAX}, no change of it is accepted`
  const alarm = { alarm: 'local_book_bytes', value: bytes, threshold: BOOK_BYTES_ALARM, message }
  console.warn(JSON.stringify({ level: 'warn', ...alarm }))
}

/** A version is later than the one before, also if two changes come within a millisecond. */
function after(now: Date, version: string | null): string {
  const at = now.toISOString()
  return version === null || version < at ? at : new Date(Date.parse(version) + 1).toISOString()
}

async function changedOf(db: ControlDb, parts: readonly LocalPart[]): Promise<LocalPart[]> {
  const changed: LocalPart[] = []
  for (let start = 0; start < parts.length; start += COMPARED_MAX) {
    const given = parts.slice(start, start + COMPARED_MAX)
    const stored = await readCurrentParts(
      db,
      given.map(({ part }) => part),
    )
    const known = new Map(stored.map(({ part, content }) => [part, content]))
    changed.push(...given.filter(({ part, content }) => known.get(part) !== content))
  }
  return changed
}

function chunksOf(parts: readonly LocalPart[]): LocalPart[][] {
  const chunks: LocalPart[][] = []
  let size = TEXT_MAX
  for (const part of parts) {
    size += part.content.length
    if (size > TEXT_MAX) {
      chunks.push([])
      size = part.content.length
    }
    chunks.at(-1)?.push(part)
  }
  return chunks
}
