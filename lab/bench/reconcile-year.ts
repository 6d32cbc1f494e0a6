import { interceptedDatabase } from '../../test/support/intercepted-database.ts'
import type { WholeDb } from '../../src/platform/database/databases.ts'
import { checkReturns } from '../../src/returns/archive/check-sample.ts'

/** The months of the generated year that lie in it as a whole, with all their sales. */
const MONTHS = [
  '2025-12',
  ...Array.from({ length: 10 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`),
]
/** The job takes 20 returns or a minute in a run, so it needs a few runs. */
const RUNS_MAX = 100

type ReconciledYear = {
  returns: number
  lines: number
  filing_seconds: number
  seconds: number
  /** Runs of the nightly job until each return was checked. */
  runs: number
  /** Trips to the database in all runs, the most of one run, and the longest one. A batch is one trip. */
  trips: number
  trips_max: number
  trip_ms_max: number
}

type Filed = { row_count: number }

/**
 * Files a return of all sales for each month of the generated year, and lets the nightly job reconcile them,
 * line by line. `post` files one and throws if it is refused. Throws if a return differs from the books.
 */
export async function reconcileYear(
  db: WholeDb,
  account_id: string,
  post: (body: object) => Promise<Filed>,
): Promise<ReconciledYear> {
  const began = performance.now()
  let lines = 0
  for (const period of MONTHS) {
    const { row_count } = await post({ type: 'generic', period })
    lines += row_count
    console.error(`${period} is filed: ${row_count} lines, ${seconds(began)} s`)
  }
  const filing_seconds = seconds(began)
  const checked = await checkAll(db, account_id)
  return { returns: MONTHS.length, lines, filing_seconds, ...checked }
}

async function checkAll(
  db: WholeDb,
  account_id: string,
): Promise<Omit<ReconciledYear, 'returns' | 'lines' | 'filing_seconds'>> {
  let [trips, trip_ms_max] = [0, 0]
  const counted = interceptedDatabase(db, async (trip) => {
    const began = performance.now()
    const answer = await trip()
    trips += 1
    trip_ms_max = Math.max(trip_ms_max, performance.now() - began)
    return answer
  })
  const now = new Date()
  const began = performance.now()
  let [runs, trips_max] = [0, 0]
  while ((await countUnchecked(db, account_id, now)) > 0) {
    if (runs === RUNS_MAX) throw new Error('The nightly job does not come to an end')
    const before = trips
    await checkReturns({ number: 0, books: counted }, now, true)
    runs += 1
    trips_max = Math.max(trips_max, trips - before)
    console.error(`Run ${runs} of the nightly job: ${trips - before} trips, ${seconds(began)} s`)
  }
  await refuseFaults(db, account_id)
  return { seconds: seconds(began), runs, trips, trips_max, trip_ms_max }
}

async function countUnchecked(db: WholeDb, account_id: string, now: Date): Promise<number> {
  const count = await db
    .prepare(
      `SELECT count(*) AS n FROM returns WHERE account_id = ? AND NOT EXISTS
         (SELECT 1 FROM return_checks WHERE return_id = returns.id AND checked_at >= ?)`,
    )
    .bind(account_id, now.toISOString())
    .first<number>('n')
  return count ?? 0
}

async function refuseFaults(db: WholeDb, account_id: string): Promise<void> {
  const sql = 'SELECT fault FROM return_checks WHERE account_id = ? AND fault IS NOT NULL LIMIT 1'
  const fault = await db.prepare(sql).bind(account_id).first<string>('fault')
  if (fault !== null) throw new Error(`A return differs from the books: ${fault}`)
}

function seconds(began: number): number {
  return (performance.now() - began) / 1_000
}
