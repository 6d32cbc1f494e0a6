import { createHash } from 'node:crypto'
import { openRateBook } from '../src/engine/book/rate-book.ts'
import { openLocalBook } from '../src/engine/regimes/us-local/local-book.ts'
import { localRecords, snapshotData } from '../src/tax-data/metadata/snapshot.ts'
import { REVIEWED_ON } from '../src/tax-data/records/review-day.ts'
import { readFacts } from './read-facts.ts'
import { readLocalData } from './read-local-data.ts'

/**
 * The shipped tax data as JSON, in the form of `GET /v1/export/snapshot`: `tax-compliance/offline` loads it.
 * The checksum is the SHA-256 of the JSON of the records. `version`: that of the release. `states`: those
 * whose local taxes it has, such as `NY`.
 */
export function shippedSnapshot(version: string, states: readonly string[] = []): string {
  const moment = `${REVIEWED_ON}T00:00:00.000Z`
  const data = { ...snapshotData(openRateBook(readFacts(version, moment))), ...localOf(version, states) }
  const checksum = createHash('sha256').update(JSON.stringify(data)).digest('hex')
  return JSON.stringify({ version, generated_at: moment, checksum, ...data, queried_at: moment })
}

function localOf(version: string, states: readonly string[]): Record<string, object[]> {
  if (states.length === 0) return {}
  const local = openLocalBook(readLocalData(version))
  const parts = states.map((state) => localRecords(local, state))
  const names = Object.keys(parts[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, parts.flatMap((part) => part[name] ?? [])]))
}
