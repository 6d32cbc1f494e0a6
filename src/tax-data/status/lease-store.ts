import type { ControlDb } from '../../platform/database/databases.ts'
import { guarded } from '../../platform/database/guard.ts'
import type { CollectedId } from '../../platform/regions.ts'

/** Longer than an invocation of a queue can run. A run that died ends with its lease. */
const LEASE_MS = 16 * 60_000
/** The least time between two runs of a region that operators ask for. */
const COOL_DOWN_MS = 10 * 60_000

/**
 * Runs work under the lease of a region, so that only one collector of it runs at a time. Returns null,
 * without the work, if another run has the lease.
 */
export async function underLease<T>(
  db: ControlDb,
  region: CollectedId,
  now: Date,
  work: () => Promise<T>,
): Promise<T | null> {
  if (!(await leaseRegion(db, region, now))) return null
  try {
    return await work()
  } finally {
    await releaseRegion(db, region, now)
  }
}

async function leaseRegion(db: ControlDb, region: CollectedId, now: Date): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO collector_leases (region, leased_until) VALUES (?1, ?3)
       ON CONFLICT DO UPDATE SET leased_until = ?3 WHERE leased_until IS NULL OR leased_until <= ?2`,
    )
    .bind(region, now.toISOString(), later(now, LEASE_MS))
    .run()
  return meta.changes === 1
}

/** Ends the lease that was taken at `now`. A lease that another run has taken over stays. */
async function releaseRegion(db: ControlDb, region: CollectedId, now: Date): Promise<void> {
  await db
    .prepare('UPDATE collector_leases SET leased_until = NULL WHERE region = ? AND leased_until = ?')
    .bind(region, later(now, LEASE_MS))
    .run()
}

/** Whether a region is due: its time has come, or it has never run. */
export async function isDue(db: ControlDb, region: CollectedId, now: Date): Promise<boolean> {
  const next = await db
    .prepare('SELECT next_run_at FROM collector_states WHERE region = ?')
    .bind(region)
    .first<string>('next_run_at')
  return next === null || next <= now.toISOString()
}

/** Records that an operator asks for a run. Fails with sync_too_soon within ten minutes of the last time. */
export function recordRequest(db: ControlDb, region: CollectedId, now: Date): D1PreparedStatement[] {
  const update = db
    .prepare(
      `INSERT INTO collector_leases (region, requested_at) VALUES (?1, ?2)
       ON CONFLICT DO UPDATE SET requested_at = ?2 WHERE requested_at IS NULL OR requested_at <= ?3`,
    )
    .bind(region, now.toISOString(), later(now, -COOL_DOWN_MS))
  return guarded(db, update, 'sync_too_soon')
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}
