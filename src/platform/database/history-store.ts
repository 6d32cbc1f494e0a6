import { type AnyDb, type ControlDb, unchecked } from './databases.ts'
import { throughDoor } from './doors.ts'
import { required } from './guard.ts'
import { notHeld, notMoving } from './home.ts'
import { firstIdAt, newId } from './ids.ts'
import { insertRows } from './insert-rows.ts'
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
export async function pruneHistory(db: ControlDb, now: Date): Promise<void> {
  await inSlices(() => pruneRuns(db, firstIdAt('run', new Date(now.getTime() - RUNS_MS))))
  await inSlices(() => pruneKeys(db, earlier(now, RETIRED_KEYS_MS)))
}

/** Deletes the oldest audit events of accounts with too many, in slices. Every database has such events. */
export async function pruneAuditEvents(db: AnyDb, now: Date): Promise<void> {
  await inSlices(() => pruneLargestAudit(db, now))
}

async function pruneRuns(db: ControlDb, before: string): Promise<boolean> {
  const old = `SELECT id FROM collector_runs WHERE id < ?1 ORDER BY id LIMIT ${PRUNED_MAX}`
  const [, runs] = await db.batch([
    db.prepare(`DELETE FROM collector_evidence WHERE run_id IN (${old})`).bind(before),
    db.prepare(`DELETE FROM collector_runs WHERE id IN (${old})`).bind(before),
  ])
  return runs?.meta.changes === PRUNED_MAX
}

async function pruneKeys(db: ControlDb, before: string): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `DELETE FROM api_keys WHERE id IN
         (SELECT id FROM api_keys WHERE (revoked_at < ?1 OR expires_at < ?1)
            AND ${notHeld('account_id')} LIMIT ${PRUNED_MAX})`,
    )
    .bind(before)
    .run()
  return meta.changes === PRUNED_MAX
}

/** Accounts that a slice looks at: the events of some may all have to stay. */
const LARGEST = 20

/**
 * One slice of the account that has the most audit events above the maximum, and some that may go. Lines of
 * sealed sales count too, without as many as events are in chests. The seals of the events stay and say when
 * they were erased, so that the chain can still be checked, and an audit event records how many.
 */
async function pruneLargestAudit(db: AnyDb, now: Date): Promise<boolean> {
  const { results } = await unchecked(db)
    .prepare(
      `SELECT account_id, audit_events - ${AUDIT_EVENTS_MAX} - 3 * transaction_lines - refunds - max(0,
           3 * (SELECT coalesce(sum(lines), 0) FROM chests WHERE chests.account_id = account_usage.account_id)
           - (SELECT coalesce(sum(events), 0) FROM audit_chests
              WHERE audit_chests.account_id = account_usage.account_id)) AS excess
       FROM account_usage WHERE audit_events > ${AUDIT_EVENTS_MAX} AND excess > 0
         AND ${notMoving('account_usage.account_id')} AND ${notHeld('account_usage.account_id')}
       ORDER BY excess DESC LIMIT ${LARGEST}`,
    )
    .all<{ account_id: string; excess: number }>()
  for (const { account_id, excess } of results) {
    const ids = await readPrunable(db, account_id, Math.min(excess, PRUNED_MAX))
    if (ids.length === 0) continue
    await db.batch(eraseAuditEvents(db, account_id, ids, now))
    return true
  }
  return false
}

/**
 * The oldest sealed audit events of an account, without those of transactions, of filed returns (they prove
 * them) and of erasures.
 */
async function readPrunable(db: AnyDb, account_id: string, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM audit_events
       WHERE account_id = ?1 AND substr(resource_id, 1, 4) NOT IN ('txn_', 'ret_')
         AND action <> 'audit.pruned'
         AND EXISTS (SELECT 1 FROM audit_seals WHERE audit_id = audit_events.id)
       ORDER BY id LIMIT ?2`,
    )
    .bind(account_id, limit)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** Deletes audit events, and fails if another run has deleted one of them. */
function eraseAuditEvents(
  db: AnyDb,
  account_id: string,
  ids: readonly string[],
  now: Date,
): D1PreparedStatement[] {
  const among = 'account_id = ?1 AND %s IN (SELECT value FROM json_each(?2))'
  const list = JSON.stringify(ids)
  return [
    ...throughDoor(db, account_id, 'audit events beyond the maximum', [
      db
        .prepare(`UPDATE audit_seals SET erased_at = ?3 WHERE ${among.replace('%s', 'audit_id')}`)
        .bind(account_id, list, now.toISOString()),
      db.prepare(`DELETE FROM audit_events WHERE ${among.replace('%s', 'id')}`).bind(account_id, list),
      required(db, 'changes() = ?', [ids.length], 'concurrent_change'),
    ]),
    db
      .prepare('UPDATE account_usage SET audit_events = max(0, audit_events - ?2) WHERE account_id = ?1')
      .bind(account_id, ids.length),
    ...insertRows(db, 'audit_events', [
      {
        id: newId('aud'),
        account_id,
        key_id: 'system',
        action: 'audit.pruned',
        resource_id: account_id,
        changed: '[]',
        request_id: newId('req'),
        created_at: now.toISOString(),
        field_values: JSON.stringify({ events: { old: ids.length, new: 0 } }),
      },
    ]),
  ]
}

function earlier(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}
