import { type AnyDb, unchecked } from '../database/databases.ts'
import type { Context } from '../context.ts'
import { COUNTED_ROWS, type CountedRows, type FewRows, type QuotaName, quotaOf } from '../quotas.ts'
import { dayOf } from '../kit/calendar.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { required } from '../database/guard.ts'

/** How many rows of each kind a write adds; negative: removes. */
export type StoredRows = Readonly<Partial<Record<CountedRows, number>>>

/** The size of the answer that a write keeps for its Idempotency-Key. */
type AnswerSize = { day: string; bytes: number }

/**
 * The statements that count the rows of a write, in one row of the account. The batch fails with
 * quota_exceeded if a kind that grows would pass its quota, so a batch that would pass it is refused whole.
 */
export function countStored(
  { env, written, principal }: Context,
  stored: StoredRows,
  audit_events: number,
  answer: AnswerSize | null,
): D1PreparedStatement[] {
  const rows = COUNTED_ROWS.map((name) => stored[name] ?? 0)
  const names = [...COUNTED_ROWS, 'audit_events'].join(', ')
  const added = [...COUNTED_ROWS, 'audit_events'].map(
    (name) => `${name} = max(0, ${name} + excluded.${name})`,
  )
  const count = written
    .prepare(
      `INSERT INTO account_usage (account_id, answer_day, answer_bytes, ${names})
     VALUES (?, ?, ?, ${names
       .split(', ')
       .map(() => '?')
       .join(', ')})
     ON CONFLICT DO UPDATE SET ${added.join(', ')},
       answer_bytes = iif(excluded.answer_day IN ('', answer_day), answer_bytes, 0) + excluded.answer_bytes,
       answer_day = iif(excluded.answer_day = '', answer_day, excluded.answer_day)`,
    )
    .bind(principal.account_id, answer?.day ?? '', answer?.bytes ?? 0, ...rows, audit_events)
  const growing = COUNTED_ROWS.filter((name) => (stored[name] ?? 0) > 0)
  return [
    count,
    ...growing.map((name) => withinQuota(written, name, principal, quotaOf(env, principal.tier, name))),
  ]
}

function withinQuota(
  db: AnyDb,
  name: QuotaName,
  { account_id }: Context['principal'],
  quota: number,
): D1PreparedStatement {
  const condition = `(SELECT ${name} FROM account_usage WHERE account_id = ?) <= ?`
  return required(db, condition, [account_id, quota], 'quota_exceeded')
}

/** The stored rows of the account by kind, those of the books and those of the control database. */
export async function readStored({
  env,
  books,
  principal,
  now,
}: Context): Promise<Record<QuotaName, number>> {
  const counted = COUNTED_ROWS.map(
    (name) => `coalesce((SELECT ${name} FROM account_usage WHERE account_id = ?1), 0) AS ${name}`,
  )
  const few = (table: FewRows) => `(${COUNT_OF[table]}) AS ${table}`
  const today = `coalesce((SELECT iif(delivery_day = ?2, deliveries, 0) FROM account_usage
    WHERE account_id = ?1), 0) AS deliveries_a_day`
  const read = async (db: AnyDb, columns: readonly string[], ...values: readonly string[]) =>
    invariant(
      await unchecked(db)
        .prepare(`SELECT ${columns.join(', ')}`)
        .bind(principal.account_id, ...values)
        .first<Record<QuotaName, number>>(),
      'a row of numbers',
    )
  const [ofBooks, ofAccount] = await Promise.all([
    read(books, [...counted, few('webhooks'), today], dayOf(now)),
    read(env.DB, [few('registrations'), few('api_keys'), few('accounts')]),
  ])
  return { ...ofBooks, ...ofAccount }
}

/** An account whose rows are counted: the caller's, or one under its platform. */
type CountedAccount = Pick<Context, 'env' | 'written'> & {
  principal: Pick<Context['principal'], 'account_id' | 'tier'>
}

/**
 * A statement that fails the batch with quota_exceeded if the account has more rows in a small table than its
 * quota. Put it after the insert.
 */
export function withinCount(
  { env, written, principal }: CountedAccount,
  table: FewRows,
): D1PreparedStatement {
  const quota = quotaOf(env, principal.tier, table)
  return required(written, `(${COUNT_OF[table]}) <= ?2`, [principal.account_id, quota], 'quota_exceeded')
}

/**
 * A statement that fails the batch with quota_exceeded if the account has too many keys in all. Revoked keys
 * stay for 30 days, so the valid ones alone do not bound the table.
 */
export function withinAllKeys({ env, principal }: CountedAccount): D1PreparedStatement {
  const most = ALL_KEYS_FACTOR * quotaOf(env, principal.tier, 'api_keys')
  const condition = '(SELECT count(*) FROM api_keys WHERE account_id = ?1) <= ?2'
  return required(env.DB, condition, [principal.account_id, most], 'quota_exceeded')
}

const ALL_KEYS_FACTOR = 10

/** The number of rows of the account ?1 in a small table. A revoked key does not count. */
const COUNT_OF: Readonly<Record<FewRows, string>> = {
  webhooks: 'SELECT count(*) FROM webhooks WHERE account_id = ?1',
  registrations: 'SELECT count(*) FROM registrations WHERE account_id = ?1',
  api_keys: 'SELECT count(*) FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL',
  accounts: 'SELECT count(*) FROM accounts WHERE platform_id = ?1',
}
