/** How the runs of a region ended on a day. */
export type DayOfRuns = { region: string; day: string; good: number; failed: number }

/** The days since `from`, included, on which collectors ran. */
export async function readRunHistory(db: D1Database, from: string): Promise<DayOfRuns[]> {
  const { results } = await db
    .prepare(
      `SELECT region, substr(started_at, 1, 10) AS day, sum(outcome IN ('applied', 'confirmed')) AS good,
         sum(outcome NOT IN ('applied', 'confirmed')) AS failed
       FROM collector_runs WHERE started_at >= ? GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .bind(from)
    .all<DayOfRuns>()
  return results
}
