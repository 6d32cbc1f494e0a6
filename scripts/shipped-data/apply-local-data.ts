import { toLocalParts, withoutOlder } from '../../src/tax-data/records/local-parts.ts'
import { readLocalParts, readLocalVersion } from '../../src/tax-data/records/local-store.ts'
import { type LocalStore, writeLocalParts } from '../../src/tax-data/records/write-local-parts.ts'
import type { LocalData } from '../../src/engine/regimes/us-local/local-book.ts'

/**
 * Loads shipped local data. Parts that did not change stay, and so does what was read from official files
 * since. Returns the number of changed parts.
 */
export async function applyLocalData(store: LocalStore, data: LocalData, now: Date): Promise<number> {
  const version = await readLocalVersion(store.DB)
  const old = version === null ? [] : await readLocalParts(store.DB, version)
  return writeLocalParts(store, withoutOlder(toLocalParts(data), old), now)
}
