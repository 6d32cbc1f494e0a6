import type { Bindings } from '../bindings.ts'
import type { Facts } from '../tax/book/facts.ts'
import { openRateBook, type RateBook } from '../tax/book/rate-book.ts'
import { packFacts, unpackFacts } from './packed-facts.ts'
import { readFactsOf } from './store.ts'

const POINTER = 'ratebook:current'
const POINTER_MS = 30_000
const KEPT_SECONDS = 400 * 86_400
/** These books differ only in verification times and are replaced daily, so they expire after 30 days. */
const STAMPED_SECONDS = 30 * 86_400
const VERSION = /^\d{8}T\d{9}Z$/
const WAIT_MS = 10
const WAIT_MAX_MS = 2_000

/** The database contains no tax data. */
export class NoTaxData extends Error {}

// All requests of an isolate share the book, but no promises: workerd binds I/O to the request that began it.
let held: { book: RateBook; stamp: string; checked_at: number } | null = null
let loading = false
const earlier = new Map<string, RateBook>()

/** The book in memory if its pointer is younger than 30 s. Costs nothing; null: call `currentRateBook`. */
export function heldRateBook(now: Date): RateBook | null {
  return held !== null && Math.abs(now.getTime() - held.checked_at) < POINTER_MS ? held.book : null
}

/**
 * The rate book in force. If the pointer is older than 30 s, one request reads it while the others use the
 * book in memory. KV is fast; D1 is the source of truth. If a store fails, the book in memory stays in use.
 * Throws NoTaxData.
 */
export async function currentRateBook(env: Bindings, now: Date): Promise<RateBook> {
  if (held === null) return firstRateBook(env, now)
  const { book } = held
  held.checked_at = now.getTime()
  try {
    const pointer = await env.KV.get(POINTER)
    if (pointer === held.stamp) return book
    held = { ...(await loadNewest(env, pointer)), checked_at: now.getTime() }
    return held.book
  } catch {
    return book
  }
}

/**
 * The first book of an isolate. One request loads it while the others poll for it. If that request is cut
 * off, the next one loads the book after 2 s.
 */
async function firstRateBook(env: Bindings, now: Date): Promise<RateBook> {
  for (let waited = 0; loading && waited < WAIT_MAX_MS; waited += WAIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    if (held !== null) return held.book
  }
  loading = true
  try {
    // Undefined: KV is down. Its pointer may be right, so it is not overwritten.
    const pointer = await env.KV.get(POINTER).catch(() => undefined)
    held = { ...(await loadNewest(env, pointer)), checked_at: now.getTime() }
    return held.book
  } finally {
    loading = false
  }
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
export async function publishRateBook(db: D1Database, kv: KVNamespace, now: Date): Promise<string> {
  const facts = await readFactsOf(db, null)
  if (facts === null) throw new NoTaxData('no version is recorded')
  const stamp = `${facts.version}@${now.toISOString()}`
  await kv.put(keyOf(stamp), packFacts(facts), { expirationTtl: STAMPED_SECONDS })
  await kv.put(POINTER, stamp)
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
  await keepFacts(env.KV, facts)
  if (pointer !== undefined) await env.KV.put(POINTER, facts.version).catch(() => undefined)
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
  if (packed === null) return null
  try {
    return openRateBook(unpackFacts(packed))
  } catch (thrown) {
    console.error(
      JSON.stringify({
        level: 'error',
        error: `rate book ${stamp} in KV cannot be read`,
        cause: String(thrown),
      }),
    )
    return null
  }
}

/** If KV is down, the book is used without it, and the next isolate tries again. */
async function keepFacts(kv: KVNamespace, facts: Facts): Promise<void> {
  await kv.put(keyOf(facts.version), packFacts(facts), { expirationTtl: KEPT_SECONDS }).catch(() => undefined)
}

function keyOf(version: string): string {
  return `ratebook:${version}`
}
