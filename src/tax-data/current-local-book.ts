import type { Bindings } from '../bindings.ts'
import type { Reader } from '../context.ts'
import { type HeldCopy, type Later, oneAtATime, stateOf } from '../held-copy.ts'
import type { Zip4Edition } from '../tax/regimes/us-local/boundaries.ts'
import { type LocalBook, type LocalData, openLocalBook } from '../tax/regimes/us-local/local-book.ts'
import { fromLocalParts, nameOfZip4 } from './local-parts.ts'
import { readLocalParts, readLocalVersion, readLocalVersionAt, readPartOf } from './local-store.ts'

/** The current book itself, so that a cold isolate needs one read. */
const CURRENT = 'local:now'
const POINTER = 'local:current'
/** Local rates change a few times a quarter. After a pause of 5 minutes, a request waits for the pointer. */
const AGES = { due_ms: 60_000, old_ms: 300_000 }
/** Locations keep the current book for so long. Its pointer is read behind the first answer. */
const CACHE_SECONDS = 300
const KEPT_SECONDS = 400 * 86_400
/** ZIP+4 of so many ZIP3 stay in memory, each of 20 to 300 KB. A batch has at most 50 sales. */
const ZIP4_MAX = 50

type HeldLocalBook = HeldCopy & { book: LocalBook | null }

let held: HeldLocalBook | null = null
const earlier = new Map<string, LocalBook>()

/**
 * The local book in memory, null if there is none. If it has to be compared with its source, this is done
 * behind the answer. Undefined: call `currentLocalBook`.
 */
export function heldLocalBook({ env, now, later }: Reader): LocalBook | null | undefined {
  if (held === null) return undefined
  const state = stateOf(held, now, AGES)
  if (state === 'due') later(compare(env, now).then(noAnswer, noAnswer))
  return state === 'old' ? undefined : held.book
}

/**
 * The local book in force, from KV or else from D1; null: no local data was loaded. If the stores fail, the
 * book in memory stays in use.
 */
export async function currentLocalBook({ env, now, later }: Reader): Promise<LocalBook | null> {
  if (held !== null) return compare(env, now).catch(() => held?.book ?? null)
  return firstLoad(
    () => held,
    async () => (held = heldAt(now, await firstLocalBook(env, later, now))),
  ).then(({ book }) => book)
}

const firstLoad = oneAtATime<HeldLocalBook>()

function heldAt(now: Date, book: LocalBook | null): HeldLocalBook {
  return { book, checked_at: now.getTime(), asked_at: now.getTime() }
}

/** The current book as this location knows it, else the one that the pointer names, else that of D1. */
async function firstLocalBook(env: Bindings, later: Later, now: Date): Promise<LocalBook | null> {
  const current = await read(env.KV, CURRENT, CACHE_SECONDS)
  if (current !== null) {
    later(compare(env, now).then(noAnswer, noAnswer))
    return openLocalBook(current)
  }
  // Undefined: KV is down. Its pointer may be right, so it is not overwritten.
  const pointer = await env.KV.get(POINTER).catch(() => undefined)
  const kept = !pointer ? null : await read(env.KV, keyOf(pointer))
  if (kept === null) return loadLocalBook(env, pointer)
  later(env.KV.put(CURRENT, JSON.stringify(kept)).then(noAnswer, noAnswer))
  return openLocalBook(kept)
}

/** A book of KV; null: KV does not have it, is down, or its text cannot be read. */
function read(kv: KVNamespace, key: string, cacheTtl?: number): Promise<LocalData | null> {
  return kv
    .get<LocalData>(key, { type: 'json', ...(cacheTtl !== undefined && { cacheTtl }) })
    .catch(() => null)
}

/** Loads a newer book if the pointer names one. Returns the book in force. */
async function compare(env: Bindings, now: Date): Promise<LocalBook | null> {
  const pointer = await env.KV.get(POINTER)
  const same = held !== null && held.book !== null && held.book.version === pointer
  const book = same ? (held?.book ?? null) : await loadLocalBook(env, pointer)
  held = heldAt(now, book)
  return book
}

function noAnswer(): void {}

async function loadLocalBook(env: Bindings, pointer: string | null | undefined): Promise<LocalBook | null> {
  const kept = !pointer ? null : await read(env.KV, keyOf(pointer))
  if (kept !== null) return openLocalBook(kept)
  const version = await readLocalVersion(env.DB)
  if (version === null) return null
  if (pointer === undefined)
    return openLocalBook(fromLocalParts(await readLocalParts(env.DB, version), version))
  return openLocalBook(await publishLocalBook(env, version))
}

/** The local book of a time, from KV or rebuilt from the parts of that time; null: there was none. */
export async function localBookAt(env: Bindings, at: string): Promise<LocalBook | null> {
  const version = await readLocalVersionAt(env.DB, at)
  if (version === null) return null
  if (held?.book?.version === version) return held.book
  const known = earlier.get(version)
  if (known !== undefined) return known
  const kept = await env.KV.get<LocalData>(keyOf(version), 'json')
  const book = openLocalBook(kept ?? (await keepLocalBook(env, version)))
  // At most two, because each takes some megabytes.
  if (earlier.size >= 2) earlier.clear()
  earlier.set(version, book)
  return book
}

/** Writes the book of a version and the pointer to it, after a load or a run of a collector. */
export async function publishLocalBook(
  env: Pick<Bindings, 'DB' | 'KV'>,
  version: string,
): Promise<LocalData> {
  const data = await keepLocalBook(env, version)
  await env.KV.put(CURRENT, JSON.stringify(data))
  // The pointer comes last, so that it never names a book that KV does not have.
  await env.KV.put(POINTER, version)
  return data
}

/** The version that isolates use; null: not one was published. */
export function publishedLocalVersion(kv: KVNamespace): Promise<string | null> {
  return kv.get(POINTER)
}

async function keepLocalBook(env: Pick<Bindings, 'DB' | 'KV'>, version: string): Promise<LocalData> {
  const data = fromLocalParts(await readLocalParts(env.DB, version), version)
  await env.KV.put(keyOf(version), JSON.stringify(data), { expirationTtl: KEPT_SECONDS })
  return data
}

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

/** Removes the books from the isolate's memory. */
export function forgetLocalBook(): void {
  held = null
  earlier.clear()
}

function keyOf(version: string): string {
  return `local:${version}`
}

function keyOfZip4(key: string, stamp: string): string {
  return `local4:${stamp}:${key}`
}
