import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import type { Zip4Edition } from '../../engine/regimes/us-local/boundaries.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { LOCAL_BOOK, LOCAL_ZIP4 } from './book-names.ts'
import { heldBook } from './held-book.ts'
import { bookOfParts, type LocalParts, nameOfZip4, packParts, unpackParts } from './local-parts.ts'
import { readLocalParts, readLocalVersion, readLocalVersionAt, readPartOf } from './local-store.ts'

const KEPT_SECONDS = 400 * 86_400
/** ZIP+4 of so many ZIP3 stay in memory, each of 20 to 300 KB. A batch has at most 50 sales. */
const ZIP4_MAX = 50

const locals = heldBook<LocalParts, LocalBook | null>({
  name: LOCAL_BOOK,
  // Local rates change a few times a quarter. After a pause of 5 minutes, a request waits for the pointer.
  ages: { due_ms: 60_000, old_ms: 300_000 },
  read: readParts,
  pack: packParts,
  open: (parts) => bookOfParts(parts),
  openPacked: (packed, refuse) => bookOfParts(unpackParts(packed), refuse),
  none: () => null,
  earlier_max: 2,
})

async function readParts(db: ControlDb, version: string | null): Promise<LocalParts | null> {
  const wanted = version ?? (await readLocalVersion(db))
  return wanted === null ? null : { version: wanted, parts: await readLocalParts(db, wanted) }
}

/**
 * The local book in memory, null if there is none. It is compared with its source behind the answer.
 * Undefined: call `currentLocalBook`.
 */
export const heldLocalBook: (reader: Reader) => LocalBook | null | undefined = locals.held

/** The local book in force; null: no local data was loaded. */
export const currentLocalBook = locals.current

/** The local book of a time; null: there was none. */
export async function localBookAt(env: Bindings, at: string): Promise<LocalBook | null> {
  const version = await readLocalVersionAt(env.DB, at)
  return version === null ? null : locals.ofVersion(env, version)
}

/** Writes the book of a version and the pointer to it, after a load or a run of a collector. */
export async function publishLocalBook(
  { DB, KV }: Pick<Bindings, 'DB' | 'KV'>,
  version: string,
): Promise<void> {
  const data = await readParts(DB, version)
  if (data !== null) await locals.publish(KV, version, data)
}

/** The version that isolates use; null: not one was published. */
export const publishedLocalVersion = locals.published

/** Whether the ZIP+4 of a key such as `GA:303` are in memory, or are not on file. */
export function hasZip4(book: LocalBook, key: string): boolean {
  return !book.zip4.has(key) || book.known_zip4.has(key)
}

/** Loads the ZIP+4 of a key into the book: one read of KV, of D1 if KV has them no more. */
export async function loadZip4(env: Bindings, book: LocalBook, key: string): Promise<void> {
  const stamp = book.zip4.get(key)
  if (stamp === undefined || book.known_zip4.has(key)) return
  const editions = (await keptZip4(env, key, stamp)) ?? (await storedZip4(env, key, stamp))
  const [oldest] = book.known_zip4.keys()
  if (book.known_zip4.size >= ZIP4_MAX && oldest !== undefined) book.known_zip4.delete(oldest)
  book.known_zip4.set(key, editions)
}

function keptZip4(env: Bindings, key: string, stamp: string): Promise<Zip4Edition[] | null> {
  return env.KV.get<Zip4Edition[]>(keyOfZip4(key, stamp), { type: 'json', cacheTtl: 86_400 }).catch(
    () => null,
  )
}

async function storedZip4(env: Bindings, key: string, stamp: string): Promise<Zip4Edition[]> {
  const content = await readPartOf(env.DB, nameOfZip4(key), stamp)
  if (content === null) return []
  await keepZip4(env.KV, key, stamp, content).catch(() => undefined)
  return JSON.parse(content)
}

/** Keeps the ZIP+4 of a key for a year. After that, D1 has them. */
export function keepZip4(kv: KVNamespace, key: string, stamp: string, content: string): Promise<void> {
  return kv.put(keyOfZip4(key, stamp), content, { expirationTtl: KEPT_SECONDS })
}

/** The keys of KV whose local book this isolate could not read. */
export const unreadableLocalBooks = locals.unreadable

function keyOfZip4(key: string, stamp: string): string {
  return `${LOCAL_ZIP4}:${stamp}:${key}`
}
