import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import type { Facts } from '../../engine/book/facts.ts'
import { openRateBook, type RateBook } from '../../engine/book/rate-book.ts'
import { RATE_BOOK } from './book-names.ts'
import { heldBook } from './held-book.ts'
import { packFacts, unpackFacts } from './packed-facts.ts'
import { readFactsOf } from './store.ts'

/** These books differ only in verification times and are replaced daily, so they expire after 30 days. */
const STAMPED_SECONDS = 30 * 86_400
const VERSION = /^\d{8}T\d{9}Z$/

/** The database contains no tax data. */
export class NoTaxData extends Error {}

const rates = heldBook<Facts, RateBook>({
  name: RATE_BOOK,
  // Behind an answer, the pointer is read every 30 s. After a pause of 5 minutes, a request waits for it.
  ages: { due_ms: 30_000, old_ms: 300_000 },
  read: readFactsOf,
  pack: packFacts,
  open: openRateBook,
  openPacked: (packed) => {
    const { facts, by_place } = unpackFacts(packed)
    return openRateBook(facts, by_place)
  },
  none: () => {
    throw new NoTaxData('no version is recorded')
  },
  earlier_max: 3,
})

/** The rate book in memory, compared with its source behind the answer. Null: call `currentRateBook`. */
export function heldRateBook(reader: Reader): RateBook | null {
  return rates.held(reader) ?? null
}

/** The rate book in force. Throws NoTaxData. */
export const currentRateBook = rates.current

/** The rate book of an earlier version; null if there is no such version. */
export async function rateBookOfVersion(env: Bindings, version: string): Promise<RateBook | null> {
  return VERSION.test(version) ? rates.ofVersion(env, version) : null
}

/**
 * Writes a book and the pointer to it, at the end of a load or a sync. Returns its version. The pointer
 * contains the version and the time: a sync that changes no fact still changes times of verification. It
 * needs a new key, because an overwritten key may be read stale for a minute.
 */
export async function publishRateBook(db: ControlDb, kv: KVNamespace, now: Date): Promise<string> {
  const facts = await readFactsOf(db, null)
  if (facts === null) throw new NoTaxData('no version is recorded')
  await rates.publish(kv, `${facts.version}@${now.toISOString()}`, facts, STAMPED_SECONDS)
  return facts.version
}

/** The keys of KV whose rate book this isolate could not read. */
export const unreadableRateBooks = rates.unreadable
