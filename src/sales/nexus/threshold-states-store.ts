import type { TurnoverColumns } from '../../parties/accounts/turnover.ts'
import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import type { HeldRegistration } from '../../platform/context.ts'
import { firstIdAt } from '../../platform/database/ids.ts'
import { openHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { threshold_states } from '../../platform/database/tables/thresholds.ts'

/** The status of a threshold that was announced to an account. Without a row, no status was announced. */
export type ThresholdState = typeof threshold_states.$inferSelect

/** An account as far as the thresholds of its sales depend on it. */
export type SellingAccount = {
  account_id: string
  country: string | null
  region: string | null
  city: string | null
  postal_code: string | null
  time_zone: string
  over_eu_threshold: number
  small_business: number
  /** JSON of HeldEstablishment[]. */
  establishments: string
} & TurnoverColumns

/** A page of the accounts of a shard, by id, with their registrations. */
export async function readSellingAccounts(
  control: ControlDb,
  shard: number,
  after: string,
  limit: number,
): Promise<(SellingAccount & { registrations: HeldRegistration[] })[]> {
  const page = `SELECT id FROM accounts
    WHERE id > ?1 AND shard = CAST(?2 AS INTEGER) AND suspended_at IS NULL ORDER BY id LIMIT ${limit}`
  const [accounts, registrations] = await control.batch([
    control
      .prepare(
        `SELECT id AS account_id, country, region, city, postal_code, time_zone, over_eu_threshold,
           small_business, establishments, global_turnover, global_turnover_currency
         FROM accounts WHERE id IN (${page}) ORDER BY id`,
      )
      .bind(after, shard),
    control
      .prepare(
        `SELECT account_id, coalesce(jurisdiction_id, scheme) AS id, valid_from, valid_to
         FROM registrations WHERE account_id IN (${page})`,
      )
      .bind(after, shard),
  ])
  const held = Map.groupBy(
    rowsOf<HeldRegistration & { account_id: string }>(registrations),
    ({ account_id }) => account_id,
  )
  return rowsOf<SellingAccount>(accounts).map((account) => ({
    ...account,
    registrations: (held.get(account.account_id) ?? []).map(({ id, valid_from, valid_to }) => ({
      id,
      valid_from,
      valid_to,
    })),
  }))
}

/** Which of these accounts have books here, and recorded something since a moment; null: at any time. */
export async function readActive(
  books: BooksDb,
  account_ids: readonly string[],
  since: Date | null,
): Promise<Set<string>> {
  const { results } = await books
    .prepare(
      `SELECT asked.value AS id FROM json_each(?1) asked
       WHERE ${openHome('asked.value')}
         AND EXISTS (SELECT 1 FROM audit_events WHERE account_id = asked.value AND id >= ?2)`,
    )
    .bind(JSON.stringify(account_ids), since === null ? '' : firstIdAt('aud', since))
    .all<{ id: string }>()
  return new Set(results.map(({ id }) => id))
}

/** The announced statuses of an account, by jurisdiction. */
export async function readThresholdStates(
  books: BooksDb,
  account_id: string,
): Promise<Map<string, ThresholdState>> {
  const { results } = await books
    .prepare('SELECT account_id, jurisdiction_id, status, told_at FROM threshold_states WHERE account_id = ?')
    .bind(account_id)
    .all<ThresholdState>()
  return new Map(results.map((state) => [state.jurisdiction_id, state]))
}

/** Replaces the announced statuses of an account. Put `requireHome` before it. */
export function writeThresholdStates(
  books: BooksDb,
  account_id: string,
  states: readonly ThresholdState[],
): D1PreparedStatement[] {
  return [
    books.prepare('DELETE FROM threshold_states WHERE account_id = ?').bind(account_id),
    ...insertRows(books, 'threshold_states', states),
  ]
}
