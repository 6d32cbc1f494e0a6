import type { ControlDb } from '../src/platform/database/databases.ts'
import { applyFacts } from '../src/tax-data/records/apply-facts.ts'
import { pointerKey, RATE_BOOK } from '../src/tax-data/records/book-names.ts'
import { publishRateBook } from '../src/tax-data/records/current-rate-book.ts'
import { storeShippedRates } from '../src/tax-data/records/published-rates-store.ts'
import { newestVersion } from '../src/tax-data/records/store.ts'
import { type Progress, silently } from './progress.ts'
import { applyLocalData } from './shipped-data/apply-local-data.ts'
import { readLocalData } from './read-local-data.ts'
import { readFacts, readRetiredIds } from './read-facts.ts'
import { readShippedRates } from './shipped-data/shipped-rates.ts'

/**
 * Loads the shipped data in the same way as collected data, and publishes the rate book. A second load
 * changes nothing.
 */
export async function loadShippedData(
  db: ControlDb,
  kv: KVNamespace,
  now: Date,
  progress: Progress = silently,
): Promise<void> {
  const facts = readFacts()
  const count = Object.values(facts).reduce((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0)
  const { reverified } = await progress(`Loading ${count} records of tax data`, () =>
    applyFacts(db, facts, now, 'shipped data', { retired: readRetiredIds() }),
  )
  for (const { series, days } of readShippedRates()) await storeShippedRates(db, series, days, now)
  const local = readLocalData(now.toISOString())
  await progress(`Loading ${local.jurisdictions.length} local jurisdictions of the United States`, () =>
    applyLocalData({ DB: db, KV: kv }, local, now),
  )
  // Compare the cache too: an earlier load may have stopped after it wrote the database.
  const published = (await kv.get(pointerKey(RATE_BOOK)))?.split('@')[0]
  if (reverified > 0 || published !== (await newestVersion(db)))
    await progress('Publishing the rate book', () => publishRateBook(db, kv, now))
}
