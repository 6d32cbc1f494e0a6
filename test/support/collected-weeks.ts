import { recordRun, type Run } from '../../src/tax-data/status/store.ts'
import { writeFreshness } from '../../src/tax-data/status/sync-state.ts'
import type { WholeDb } from '../../src/platform/database/databases.ts'

const DAY_MS = 86_400_000

/** A run of a collector that confirmed what it read. */
export const EMPTY_RUN: Run = {
  id: 'run_1',
  region: 'NZ',
  started_at: new Date().toISOString(),
  duration_ms: 5,
  outcome: 'confirmed',
  documents: [],
  records_seen: 0,
  records_confirmed: 0,
  records_changed: 0,
  records_added: 0,
  records_held: 0,
  sources: [],
  data_version: null,
  error: null,
}

/**
 * Regions in every state: AU runs well, EU fails since yesterday, CA has not succeeded for long, the others
 * have never run.
 */
export async function collectForWeeks(db: WholeDb, kv: KVNamespace): Promise<void> {
  const run = async (region: string, days_ago: number, outcome: Run['outcome'], error: string | null) => {
    const at = new Date(Date.now() - days_ago * DAY_MS)
    const found = { ...EMPTY_RUN, records_seen: 1, records_confirmed: 1, outcome, error }
    const id = `run_${region}_${days_ago}`
    await db.batch(recordRun(db, { ...found, id, region, started_at: at.toISOString() }, at))
  }
  for (let days = 60; days >= 0; days -= 1) {
    await run('AU', days, 'confirmed', null)
    await run(
      'EU',
      days,
      days > 1 ? 'confirmed' : 'failed',
      days > 1
        ? null
        : '<script>alert("rates")</script> answered 500 at https://rates.example.com/a/long/path?of=the&source=1',
    )
    if (days > 20)
      await run(
        'CA',
        days,
        days % 2 === 0 ? 'confirmed' : 'quarantined',
        days % 2 === 0 ? null : 'looked for the one table',
      )
  }
  for (const region of ['AU', 'EU', 'CA']) await writeFreshness({ DB: db, KV: kv }, region)
}
