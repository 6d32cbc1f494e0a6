import type { ControlDb } from '../database/databases.ts'
import type { Bindings } from '../bindings.ts'
import type { Reader } from '../context.ts'
import type { Facts } from '../tax/book/facts.ts'
import { openRateBook, type RateBook } from '../tax/book/rate-book.ts'
import { type HeldCopy, type Later, oneAtATime, stateOf } from '../held-copy.ts'
import { packFacts, unpackFacts } from './packed-facts.ts'
import { readFactsOf } from './store.ts'

/** The current book itself, so that a cold isolate needs one read. Its metadata contain its stamp. */
const CURRENT = 'ratebook:now'
const POINTER = 'ratebook:current'
/** Behind an answer, the pointer is read every 30 s. After a pause of 5 minutes, a request waits for it. */
const AGES = { due_ms: 30_000, old_ms: 300_000 }
/** Locations keep the current book for so long. Its pointer is read behind the first answer. */
const CACHE_SECONDS = 300
const POINTER_LAG_MS = 90_000
const KEPT_SECONDS = 400 * 86_400
/** These books differ only in verification times and are replaced daily, so they expire after 30 days. */
const STAMPED_SECONDS = 30 * 86_400
const VERSION = /^\d{8}T\d{9}Z$/

/** The database contains no tax data. */
export class NoTaxData extends Error {}

/** `since`: when the isolate took the book. */
type HeldBook = HeldCopy & { book: RateBook; stamp: string; since: number }

// All requests of an isolate share the book, but no promises: workerd binds I/O to the request that began it.
let held: HeldBook | null = null
const earlier = new Map<string, RateBook>()

/**
 * The book in memory. Costs nothing: if it has to be compared with its source, this is done behind the
 * answer. Null: call `currentRateBook`.
 */
export function heldRateBook(reader: Reader): RateBook | null {
  if (held === null) return null
  const state = stateOf(held, reader.now, AGES)
  if (state === 'due') reader.later(compare(reader.env, reader.now).then(noAnswer, noAnswer))
  return state === 'old' ? null : held.book
}

/**
 * The rate book in force. KV is fast; D1 is the source of truth. If a store fails, the book in memory stays
 * in use. Throws NoTaxData.
 */
export async function currentRateBook({ env, now, later }: Reader): Promise<RateBook> {
  if (held === null) return firstRateBook(env, now, later)
  const { book } = held
  // The other requests use the book in memory in the meantime.
  held.checked_at = now.getTime()
  return compare(env, now).catch(() => book)
}

/** Loads a newer book if the pointer names one. Returns the book in force. */
async function compare(env: Bindings, now: Date): Promise<RateBook> {
  const pointer = await env.KV.get(POINTER)
  if (held !== null && isOfBefore(pointer, held, now)) return held.book
  if (held === null || pointer !== held.stamp) held = heldAt(now, await loadNewest(env, pointer))
  held.checked_at = now.getTime()
  return held.book
}

/** A location may keep an old pointer for a minute beside a new book. Later, an older pointer is right. */
function isOfBefore(pointer: string | null, { stamp, since }: HeldBook, now: Date): boolean {
  return pointer !== null && pointer < stamp && now.getTime() - since < POINTER_LAG_MS
}

function heldAt(now: Date, { book, stamp }: { book: RateBook; stamp: string }): HeldBook {
  const time = now.getTime()
  return { book, stamp, since: time, checked_at: time, asked_at: time }
}

const firstLoad = oneAtATime<HeldBook>()

/** The first book of an isolate. */
async function firstRateBook(env: Bindings, now: Date, later: Later): Promise<RateBook> {
  const { book } = await firstLoad(
    () => held,
    async () => {
      const current = await readCurrent(env.KV)
      held = heldAt(now, current ?? (await firstByPointer(env)))
      const behind = current === null ? makeCurrentAgain(env.KV) : compare(env, now)
      later(behind.then(noAnswer, noAnswer))
      return held
    },
  )
  return book
}

async function firstByPointer(env: Bindings): Promise<{ book: RateBook; stamp: string }> {
  // Undefined: KV is down. Its pointer may be right, so it is not overwritten.
  const pointer = await env.KV.get(POINTER).catch(() => undefined)
  return loadNewest(env, pointer)
}

/** Writes the book in memory under the key that cold isolates read, if KV does not have it. */
async function makeCurrentAgain(kv: KVNamespace): Promise<void> {
  if (held === null || (await kv.get(CURRENT)) !== null) return
  await kv.put(CURRENT, packFacts(held.book.facts), { metadata: { stamp: held.stamp } })
}

/** The current book, as this location knows it; null: KV does not have it, or it cannot be read. */
async function readCurrent(kv: KVNamespace): Promise<{ book: RateBook; stamp: string } | null> {
  const kept = await kv
    .getWithMetadata<{ stamp: string }>(CURRENT, { type: 'text', cacheTtl: CACHE_SECONDS })
    .catch(() => null)
  const packed = kept?.value ?? null
  const book = packed === null ? null : openKept(CURRENT, packed)
  return book === null ? null : { book, stamp: kept?.metadata?.stamp ?? '' }
}

/**
 * The book of an earlier version, from KV or rebuilt from the facts of that time; null if there is no such
 * version.
 */
export async function rateBookOfVersion(env: Bindings, version: string): Promise<RateBook | null> {
  if (!VERSION.test(version)) return null
  if (held?.book.version === version) return held.book
  const known = earlier.get(version)
  if (known !== undefined) return known
  const book = await loadVersion(env, version)
  if (book === null) return null
  // At most three, because each takes some megabytes.
  if (earlier.size >= 3) earlier.clear()
  earlier.set(version, book)
  return book
}

/**
 * Writes a book and the pointer to it, at the end of a load or a sync. The pointer contains the version and
 * the time: a sync that changes no fact still changes times of verification. It needs a new key, because an
 * overwritten key may be read stale for a minute.
 */
export async function publishRateBook(db: ControlDb, kv: KVNamespace, now: Date): Promise<string> {
  const facts = await readFactsOf(db, null)
  if (facts === null) throw new NoTaxData('no version is recorded')
  const stamp = `${facts.version}@${now.toISOString()}`
  const packed = packFacts(facts)
  await kv.put(keyOf(stamp), packed, { expirationTtl: STAMPED_SECONDS })
  await makeCurrent(kv, packed, stamp)
  return facts.version
}

/** Removes all books from the isolate's memory. */
export function forgetRateBook(): void {
  held = null
  earlier.clear()
}

/** The book that the pointer names, else the newest one in D1, which is then published; with its stamp. */
async function loadNewest(
  env: Bindings,
  pointer: string | null | undefined,
): Promise<{ book: RateBook; stamp: string }> {
  const kept = pointer ? await readKept(env.KV, pointer) : null
  if (pointer && kept !== null) return { book: kept, stamp: pointer }
  const facts = await readFactsOf(env.DB, null)
  if (facts === null) throw new NoTaxData('no version is recorded')
  const packed = await keepFacts(env.KV, facts)
  if (pointer !== undefined) await makeCurrent(env.KV, packed, facts.version).catch(() => undefined)
  return { book: openRateBook(facts), stamp: facts.version }
}

async function loadVersion(env: Bindings, version: string): Promise<RateBook | null> {
  const kept = await readKept(env.KV, version)
  if (kept !== null) return kept
  const facts = await readFactsOf(env.DB, version)
  if (facts === null) return null
  await keepFacts(env.KV, facts)
  return openRateBook(facts)
}

/** The book with a stamp in KV; null if KV has none that can be read, so that the caller reads D1. */
async function readKept(kv: KVNamespace, stamp: string): Promise<RateBook | null> {
  const packed = await kv.get(keyOf(stamp)).catch(() => null)
  return packed === null ? null : openKept(keyOf(stamp), packed)
}

function openKept(key: string, packed: string): RateBook | null {
  try {
    return openRateBook(unpackFacts(packed))
  } catch (thrown) {
    console.error(
      JSON.stringify({ level: 'error', error: `${key} in KV cannot be read`, cause: String(thrown) }),
    )
    return null
  }
}

/** Keeps facts by their version, and returns them packed. If KV is down, the next isolate tries again. */
async function keepFacts(kv: KVNamespace, facts: Facts): Promise<string> {
  const packed = packFacts(facts)
  await kv.put(keyOf(facts.version), packed, { expirationTtl: KEPT_SECONDS }).catch(() => undefined)
  return packed
}

/** The pointer comes last, so that it never names a book that KV does not have. */
async function makeCurrent(kv: KVNamespace, packed: string, stamp: string): Promise<void> {
  await kv.put(CURRENT, packed, { metadata: { stamp } })
  await kv.put(POINTER, stamp)
}

function keyOf(version: string): string {
  return `ratebook:${version}`
}

function noAnswer(): void {}
