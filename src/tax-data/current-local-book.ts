import type { Bindings } from '../bindings.ts'
import { type LocalBook, type LocalData, openLocalBook } from '../tax/regimes/us-local/local-book.ts'
import { fromLocalParts, toLocalParts } from './local-parts.ts'
import { type LocalPart, readLocalParts, readLocalVersion, replaceLocalParts } from './local-store.ts'

const POINTER = 'localbook:current'
/** Local rates change a few times a quarter. */
const POINTER_MS = 60_000
const KEPT_SECONDS = 400 * 86_400
/** Rows of one statement. A parameter may have 2 MB; the twelve largest parts on file have 777 KB. */
const PARTS_MAX = 12

let held: { book: LocalBook | null; checked_at: number } | null = null

/** The local book in memory, null if there is none; undefined: call `currentLocalBook`. */
export function heldLocalBook(now: Date): LocalBook | null | undefined {
  return held !== null && Math.abs(now.getTime() - held.checked_at) < POINTER_MS ? held.book : undefined
}

/**
 * The local book in force, from KV or else from D1; null: no local data was loaded. If the stores fail, the
 * book in memory stays in use.
 */
export async function currentLocalBook(env: Bindings, now: Date): Promise<LocalBook | null> {
  try {
    const pointer = await env.KV.get(POINTER)
    const same = held !== null && held.book !== null && held.book.version === pointer
    const book = same ? (held?.book ?? null) : await loadLocalBook(env, pointer)
    held = { book, checked_at: now.getTime() }
    return book
  } catch {
    return held?.book ?? null
  }
}

async function loadLocalBook(env: Bindings, pointer: string | null): Promise<LocalBook | null> {
  const kept = pointer === null ? null : await env.KV.get<LocalData>(keyOf(pointer), 'json')
  if (kept !== null) return openLocalBook(kept)
  const version = await readLocalVersion(env.DB)
  return version === null ? null : openLocalBook(await publish(env.DB, env.KV, version))
}

/**
 * Records the parts that changed, in batches, and publishes the book. The same data changes nothing. Returns
 * the number of changed parts.
 */
export async function applyLocalData(
  db: D1Database,
  kv: KVNamespace,
  data: LocalData,
  now: Date,
): Promise<number> {
  const version = await readLocalVersion(db)
  const old = version === null ? [] : await readLocalParts(db, version)
  const known = new Map(old.map(({ part, content }) => [part, content]))
  const changed = toLocalParts(data).filter(({ part, content }) => known.get(part) !== content)
  const recorded_at = now.toISOString()
  for (const parts of chunksOf(changed)) await db.batch(replaceLocalParts(db, parts, recorded_at))
  const newest = changed.length > 0 ? recorded_at : version
  if (newest !== null && (await kv.get(POINTER)) !== newest) await publish(db, kv, newest)
  return changed.length
}

function chunksOf(parts: readonly LocalPart[]): LocalPart[][] {
  const chunks = []
  for (let start = 0; start < parts.length; start += PARTS_MAX)
    chunks.push(parts.slice(start, start + PARTS_MAX))
  return chunks
}

async function publish(db: D1Database, kv: KVNamespace, version: string): Promise<LocalData> {
  const data = fromLocalParts(await readLocalParts(db, version), version)
  await kv.put(keyOf(version), JSON.stringify(data), { expirationTtl: KEPT_SECONDS })
  await kv.put(POINTER, version)
  return data
}

/** Removes the book from the isolate's memory. */
export function forgetLocalBook(): void {
  held = null
}

function keyOf(version: string): string {
  return `localbook:${version}`
}
