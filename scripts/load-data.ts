import { applyFacts } from '../src/tax-data/apply-facts.ts'
import { publishRateBook } from '../src/tax-data/current-rate-book.ts'
import { newestVersion } from '../src/tax-data/store.ts'
import { readFacts } from './read-facts.ts'

/**
 * Loads the shipped data by the way that collected data takes, and publishes the rate book. Loading it again
 * changes nothing.
 */
export async function loadShippedData(db: D1Database, kv: KVNamespace, now: Date): Promise<void> {
  const { reverified } = await applyFacts(db, readFacts(), now, 'shipped data')
  // Not only after a change: an earlier load may have ended between the database and the cache.
  const published = (await kv.get('ratebook:current'))?.split('@')[0]
  if (reverified > 0 || published !== (await newestVersion(db))) await publishRateBook(db, kv, now)
}
