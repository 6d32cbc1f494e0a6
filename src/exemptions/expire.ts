import { dayOf } from '../calendar.ts'
import { newId } from '../database/ids.ts'

const PAGE = 1_000
/** What is left then waits for tomorrow: a sale looks at the dates anyway, the status only says so. */
const PAGES_MAX = 20

/**
 * Moves the verified exemptions of all accounts whose last day has passed (UTC) to expired, a page at a time,
 * each with its audit event in the same batch. One that is changed meanwhile is left alone.
 */
export async function expireExemptions(db: D1Database, now: Date): Promise<void> {
  const today = dayOf(now)
  const run = newId('req')
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { results } = await db
      .prepare(
        `SELECT account_id, id FROM exemptions WHERE status = 'verified' AND valid_to < ? ORDER BY valid_to LIMIT ?`,
      )
      .bind(today, PAGE)
      .all<{ account_id: string; id: string }>()
    if (results.length > 0) await db.batch(expirePage(db, results, today, now.toISOString(), run))
    if (results.length < PAGE) return
  }
}

function expirePage(
  db: D1Database,
  page: readonly { account_id: string; id: string }[],
  today: string,
  now: string,
  run: string,
): D1PreparedStatement[] {
  const list = JSON.stringify(page.map(({ account_id, id }) => ({ account_id, id, audit_id: newId('aud') })))
  return [
    db
      .prepare(
        `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
         SELECT value ->> '$.audit_id', e.account_id, 'system', 'exemption.expired', e.id, '["status"]', ?2, ?3
         FROM json_each(?1) JOIN exemptions e ON e.account_id = value ->> '$.account_id' AND e.id = value ->> '$.id'
         WHERE e.status = 'verified' AND e.valid_to < ?4`,
      )
      .bind(list, run, now, today),
    db
      .prepare(
        `UPDATE exemptions SET status = 'expired', updated_at = ?2
         WHERE (account_id, id) IN (SELECT value ->> '$.account_id', value ->> '$.id' FROM json_each(?1))
           AND status = 'verified' AND valid_to < ?3`,
      )
      .bind(list, now, today),
  ]
}
