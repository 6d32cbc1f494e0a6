import { notMoving } from './home.ts'
import { firstIdAt } from './ids.ts'
import { inSlices } from './slices.ts'

const PRUNED_MAX = 5_000
const DAY_MS = 86_400_000
const RUNS_MS = 400 * DAY_MS
const RETIRED_KEYS_MS = 30 * DAY_MS

/**
 * The audit events that an account keeps beside those of its transactions. Older ones are deleted, so that
 * a small change that is repeated for ever does not fill the database.
 */
const AUDIT_EVENTS_MAX = 500_000

/**
 * Deletes history that has no further use, in slices: runs of collectors and their evidence after 400 days,
 * and keys 30 days after their revocation or expiry.
 */
export async function pruneHistory(db: D1Database, now: Date): Promise<void> {
  await inSlices(() => pruneRuns(db, firstIdAt('run', new Date(now.getTime() - RUNS_MS))))
  await inSlices(() => pruneKeys(db, earlier(now, RETIRED_KEYS_MS)))
}

/** Deletes the oldest audit events of accounts with too many, in slices. Every database has such events. */
export async function pruneAuditEvents(db: D1Database): Promise<void> {
  await inSlices(() => pruneLargestAudit(db))
}

async function pruneRuns(db: D1Database, before: string): Promise<boolean> {
  const old = `SELECT id FROM collector_runs WHERE id < ?1 ORDER BY id LIMIT ${PRUNED_MAX}`
  const [, runs] = await db.batch([
    db.prepare(`DELETE FROM collector_evidence WHERE run_id IN (${old})`).bind(before),
    db.prepare(`DELETE FROM collector_runs WHERE id IN (${old})`).bind(before),
  ])
  return runs?.meta.changes === PRUNED_MAX
}

async function pruneKeys(db: D1Database, before: string): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `DELETE FROM api_keys WHERE id IN
         (SELECT id FROM api_keys WHERE revoked_at < ?1 OR expires_at < ?1 LIMIT ${PRUNED_MAX})`,
    )
    .bind(before)
    .run()
  return meta.changes === PRUNED_MAX
}

/** One slice of the account that has the most audit events above the maximum. */
async function pruneLargestAudit(db: D1Database): Promise<boolean> {
  const account = await db
    .prepare(
      `SELECT account_id, audit_events - ${AUDIT_EVENTS_MAX} - 3 * transaction_lines - refunds AS excess
       FROM account_usage WHERE excess > 0 AND ${notMoving('account_usage.account_id')}
       ORDER BY excess DESC LIMIT 1`,
    )
    .first<{ account_id: string; excess: number }>()
  if (account === null) return false
  const { account_id } = account
  const slice = Math.min(account.excess, PRUNED_MAX)
  const [deleted] = await db.batch([
    db
      .prepare(
        `DELETE FROM audit_events WHERE id IN
           (SELECT id FROM audit_events
            WHERE account_id = ?1 AND substr(resource_id, 1, 4) <> 'txn_' ORDER BY id LIMIT ?2)`,
      )
      .bind(account_id, slice),
    db
      .prepare(
        'UPDATE account_usage SET audit_events = max(0, audit_events - changes()) WHERE account_id = ?',
      )
      .bind(account_id),
  ])
  return deleted !== undefined && deleted.meta.changes > 0
}

function earlier(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}
