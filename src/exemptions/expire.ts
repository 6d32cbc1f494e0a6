import { dayOf } from '../calendar.ts'
import { commitSystemChange } from '../database/system-change.ts'
import { expireExemptionsOf, readEnded, STILL_ENDED } from './expiry-store.ts'

const PAGE = 1_000
/** What is left then waits for tomorrow: a sale looks at the dates anyway, the status only says so. */
const PAGES_MAX = 20

/**
 * Moves the verified exemptions of all accounts whose last day has passed (UTC) to expired, a page at a time,
 * each with its audit event in the same batch. One that is changed meanwhile is left alone.
 */
export async function expireExemptions(db: D1Database, now: Date): Promise<void> {
  const today = dayOf(now)
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const ended = await readEnded(db, today, PAGE)
    if (ended.length > 0)
      await commitSystemChange(db, now, {
        changes: [expireExemptionsOf(db, ended, today, now)],
        audit: ended.map(({ account_id, id }) => ({
          account_id,
          action: 'exemption.expired',
          resource_id: id,
          changed: ['status'],
        })),
        only_if: { sql: STILL_ENDED, values: [today] },
      })
    if (ended.length < PAGE) return
  }
}
