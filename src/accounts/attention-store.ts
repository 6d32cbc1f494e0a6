import type { Context } from '../context.ts'
import { rowsOf } from '../database/results.ts'
import { lacksTimeZone } from '../time-zone.ts'
import type { AccountRow } from './store.ts'

/** The most matters of one reason in one answer. */
const ATTENTION_MAX = 20

type Attention = {
  reason: 'webhook_disabled' | 'return_not_reconciled' | 'time_zone_not_set'
  resource_id: string
  message: string
  since: string | null
}

/**
 * Matters of the account that somebody should look at: webhooks that were disabled after failures, filed
 * returns that the nightly check found to differ from the books, and a time zone that was not chosen before
 * the first return.
 */
export async function readAttention(
  { books, principal }: Context,
  { country, region, time_zone }: Pick<AccountRow, 'country' | 'region' | 'time_zone'>,
): Promise<Attention[]> {
  const [webhooks, returns, filed] = await books.batch([
    books
      .prepare(
        `SELECT id, last_failed_at FROM webhooks
         WHERE account_id = ? AND status = 'disabled' AND consecutive_failures > 0
         ORDER BY id LIMIT ${ATTENTION_MAX}`,
      )
      .bind(principal.account_id),
    books
      .prepare(
        `SELECT return_id, checked_at FROM return_checks
         WHERE account_id = ? AND fault IS NOT NULL ORDER BY return_id LIMIT ${ATTENTION_MAX}`,
      )
      .bind(principal.account_id),
    books
      .prepare("SELECT 1 FROM returns WHERE account_id = ? AND status <> 'freezing' LIMIT 1")
      .bind(principal.account_id),
  ])
  const unchosen = rowsOf(filed).length === 0 && lacksTimeZone(time_zone, { country, region })
  return [
    ...rowsOf<{ id: string; last_failed_at: string | null }>(webhooks).map(
      ({ id, last_failed_at }): Attention => ({
        reason: 'webhook_disabled',
        resource_id: id,
        message: 'The webhook was disabled after its failures. Enable it, and recover the missed events',
        since: last_failed_at,
      }),
    ),
    ...rowsOf<{ return_id: string; checked_at: string }>(returns).map(
      ({ return_id, checked_at }): Attention => ({
        reason: 'return_not_reconciled',
        resource_id: return_id,
        message: 'The return does not agree with the books. GET /v1/returns/reconciliation says what differs',
        since: checked_at,
      }),
    ),
    ...(unchosen
      ? [
          {
            reason: 'time_zone_not_set' as const,
            resource_id: principal.account_id,
            message: 'Days of returns are days in UTC. Set time_zone before you file the first return',
            since: null,
          },
        ]
      : []),
  ]
}
