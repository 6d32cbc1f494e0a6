import { createHash } from 'node:crypto'
import { openRateBook } from '../src/engine/book/rate-book.ts'
import { snapshotData } from '../src/tax-data/metadata/snapshot.ts'
import { REVIEWED_ON } from '../src/tax-data/records/review-day.ts'
import { readFacts } from './read-facts.ts'

/**
 * The shipped tax data as JSON, in the form of `GET /v1/export/snapshot`: `tax-compliance/offline` loads it.
 * The checksum is the SHA-256 of the JSON of the records. `version`: that of the release.
 */
export function shippedSnapshot(version: string): string {
  const moment = `${REVIEWED_ON}T00:00:00.000Z`
  const data = snapshotData(openRateBook(readFacts(version, moment)))
  const checksum = createHash('sha256').update(JSON.stringify(data)).digest('hex')
  return JSON.stringify({ version, generated_at: moment, checksum, ...data, queried_at: moment })
}
