import { applyFacts } from '../src/tax-data/apply-facts.ts'
import { publishRateBook } from '../src/tax-data/current-rate-book.ts'
import { readFacts } from './read-facts.ts'

/** Loads the shipped data by the way that collected data takes, and publishes the rate book. Loading it again changes nothing. */
export async function loadShippedData(db: D1Database, kv: KVNamespace, now: Date): Promise<void> {
  const { version } = await applyFacts(db, readFacts(), now, 'shipped data')
  if (version !== null || (await kv.get('ratebook:current')) === null) await publishRateBook(db, kv)
}
