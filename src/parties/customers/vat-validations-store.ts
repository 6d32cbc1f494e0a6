import type { BooksDb } from '../../platform/database/databases.ts'
import { notHeld, openHome } from '../../platform/database/home.ts'
import { newId } from '../../platform/database/ids.ts'
import type { vat_validations } from '../../platform/database/tables/vat.ts'
import type { Validation } from '../vat/schemas.ts'

type ValidationRow = typeof vat_validations.$inferSelect

/** The VAT id that was asked about, with its customer, as they were at that time. */
export type AskedVatId = { account_id: string; customer_id: string; vat_id: string; country: string | null }

type WaitingValidation = AskedVatId & Pick<ValidationRow, 'id' | 'attempts'>

/** Seconds until the next attempt after each one that got no answer. */
const DELAYS_S = [60, 600, 3_600, 21_600]
/** Longer than an attempt takes. */
const LEASE_S = 120

/** The fields of a customer that a validation writes, as audit events name them. */
export const VALIDATED_FIELDS = ['vat_id_validated', 'vat_id_validated_at', 'vat_id_company_name'] as const

/** The reasons that another attempt cannot change. */
const FINAL = new Set(['not_configured', 'no_online_validation', 'not_supported', 'scheme_number'])

export function worthAnotherAttempt({ status, reason }: Validation): boolean {
  return status === 'unavailable' && !FINAL.has(reason ?? '')
}

/** When to ask again after so many attempts; null: not again. */
export function nextAttemptAt(attempts: number, now: Date): string | null {
  const delay = DELAYS_S[attempts - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay * 1_000).toISOString()
}

/** The fields of a customer after an answer of the authority. */
export function validatedFields({ status, checked_at, company_name }: Validation) {
  const valid = status === 'valid'
  return {
    vat_id_validated: valid ? 1 : 0,
    vat_id_validated_at: checked_at,
    vat_id_company_name: valid ? company_name : null,
  }
}

/**
 * Records the answer of the authority with the customer. Changes one row, or no row if VAT id or country were
 * changed meanwhile.
 */
export function writeValidation(
  books: BooksDb,
  { account_id, customer_id, vat_id, country }: AskedVatId,
  said: Validation,
): D1PreparedStatement {
  const fields = validatedFields(said)
  return books
    .prepare(
      `UPDATE customers SET vat_id_validated = ?, vat_id_validated_at = ?, vat_id_company_name = ?,
         updated_at = ?
       WHERE account_id = ? AND id = ? AND vat_id = ? AND country IS ?`,
    )
    .bind(
      fields.vat_id_validated,
      fields.vat_id_validated_at,
      fields.vat_id_company_name,
      said.checked_at,
      account_id,
      customer_id,
      vat_id,
      country,
    )
}

/** Keeps a conclusive answer as proof. It replaces the customer's waiting validation. */
export function keepProof(
  books: BooksDb,
  id: string,
  asked: AskedVatId,
  said: Validation,
  now: string,
): D1PreparedStatement[] {
  return [
    forgetWaiting(books, asked.customer_id),
    forgetOldProofs(books, asked),
    books
      .prepare(
        `INSERT INTO vat_validations (id, account_id, customer_id, vat_id, status, attempts, source,
           consultation_number, checked_at, created_at)
         VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
      )
      .bind(
        id,
        asked.account_id,
        asked.customer_id,
        said.vat_id,
        said.status,
        said.source,
        said.consultation_number,
        said.checked_at,
        now,
      ),
  ]
}

/** The most proofs of one customer. Older ones are deleted. */
const PROOFS_MAX = 50

/** Deletes the oldest proofs of a customer, so that one more can be kept. */
function forgetOldProofs(books: BooksDb, { account_id, customer_id }: AskedVatId): D1PreparedStatement {
  return books
    .prepare(
      `DELETE FROM vat_validations WHERE id IN
         (SELECT id FROM vat_validations WHERE customer_id = ?1 AND account_id = ?2 AND ${notHeld('?2')}
          ORDER BY id DESC LIMIT -1 OFFSET ${PROOFS_MAX - 1})`,
    )
    .bind(customer_id, account_id)
}

/** Keeps a validation that waits for its next attempt. A customer has at most one. */
export function keepWaiting(
  books: BooksDb,
  id: string,
  asked: AskedVatId,
  said: Validation,
  now: Date,
): D1PreparedStatement[] {
  return [
    forgetWaiting(books, asked.customer_id),
    books
      .prepare(
        `INSERT INTO vat_validations (id, account_id, customer_id, vat_id, status, attempts,
           next_attempt_at, reason, source, created_at)
         VALUES (?, ?, ?, ?, 'pending', 1, ?, ?, ?, ?)`,
      )
      .bind(
        id,
        asked.account_id,
        asked.customer_id,
        asked.vat_id,
        nextAttemptAt(1, now),
        said.reason,
        said.source,
        now.toISOString(),
      ),
  ]
}

function forgetWaiting(books: BooksDb, customer_id: string): D1PreparedStatement {
  return books
    .prepare(`DELETE FROM vat_validations WHERE customer_id = ? AND status = 'pending'`)
    .bind(customer_id)
}

/**
 * Leases a waiting validation for one attempt, by moving its due time. Null if it is not due, is leased, or
 * is about an id that the customer no longer has.
 */
export async function leaseValidation(
  books: BooksDb,
  id: string,
  now: Date,
): Promise<WaitingValidation | null> {
  const [leased, rows] = await books.batch<WaitingValidation>([
    books
      .prepare(
        `UPDATE vat_validations SET attempts = attempts + 1, next_attempt_at = ?3
         WHERE id = ?1 AND status = 'pending' AND next_attempt_at <= ?2
           AND ${openHome('vat_validations.account_id')}`,
      )
      .bind(id, now.toISOString(), new Date(now.getTime() + LEASE_S * 1_000).toISOString()),
    books
      .prepare(
        `SELECT validation.id, validation.account_id, customer_id, validation.vat_id,
           customers.country, attempts
         FROM vat_validations validation
         JOIN customers ON customers.id = customer_id AND customers.vat_id = validation.vat_id
         WHERE validation.id = ?`,
      )
      .bind(id),
  ])
  if (leased?.meta.changes !== 1) return null
  const waiting = rows?.results[0] ?? null
  if (waiting === null) await postpone(books, id, null, 'changed_meanwhile').run()
  return waiting
}

/** A customer whose VAT id was valid at its last check. */
type ValidCustomer = Pick<ValidationRow, 'account_id' | 'customer_id' | 'vat_id'>

/**
 * Customers whose VAT id was found valid before a moment, the oldest first. Without those that wait for a
 * check, and those whose last check began after `unanswered_since` and got no answer. Otherwise the latter
 * would come first each night.
 */
export async function readValidBefore(
  books: BooksDb,
  { before, unanswered_since }: { before: string; unanswered_since: string },
  limit: number,
): Promise<ValidCustomer[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, id AS customer_id, vat_id FROM customers
       WHERE vat_id_validated = 1 AND vat_id_validated_at < ?1 AND vat_id IS NOT NULL
         AND ${openHome('customers.account_id')}
         AND NOT EXISTS (SELECT 1 FROM vat_validations
                         WHERE customer_id = customers.id AND account_id = customers.account_id
                           AND (status = 'pending' OR (status = 'given_up' AND created_at > ?2)))
       ORDER BY vat_id_validated_at LIMIT ${limit}`,
    )
    .bind(before, unanswered_since)
    .all<ValidCustomer>()
  return results
}

/**
 * Adds a validation that is due now for each customer that still has this VAT id and whose books are open in
 * this database. Deletes validations that were given up before.
 */
export function waitForChecks(
  books: BooksDb,
  customers: readonly ValidCustomer[],
  now: Date,
): D1PreparedStatement[] {
  const wanted = JSON.stringify(customers.map((customer) => ({ ...customer, id: newId('vat') })))
  const forget = books
    .prepare(
      `DELETE FROM vat_validations WHERE status = 'given_up' AND ${openHome('vat_validations.account_id')}
         AND (account_id, customer_id) IN
           (SELECT value ->> 'account_id', value ->> 'customer_id' FROM json_each(?))`,
    )
    .bind(wanted)
  const wait = books
    .prepare(
      `INSERT OR IGNORE INTO vat_validations
         (id, account_id, customer_id, vat_id, status, attempts, next_attempt_at, created_at)
       SELECT value ->> 'id', customers.account_id, customers.id, customers.vat_id, 'pending', 0, ?2, ?2
       FROM json_each(?1) JOIN customers ON customers.id = value ->> 'customer_id'
         AND customers.account_id = value ->> 'account_id' AND customers.vat_id = value ->> 'vat_id'
       WHERE ${openHome('customers.account_id')}`,
    )
    .bind(wanted, now.toISOString())
  return [forget, wait]
}

/** Moves a validation to its next attempt. Null: gives it up. */
export function postpone(
  books: BooksDb,
  id: string,
  next_attempt_at: string | null,
  reason: string | null,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE vat_validations SET status = ?, next_attempt_at = ?, reason = ?
         WHERE id = ? AND status = 'pending' AND ${openHome('vat_validations.account_id')}`,
    )
    .bind(next_attempt_at === null ? 'given_up' : 'pending', next_attempt_at, reason, id)
}

/** The ids of validations that were due before a moment: their messages were lost. */
export async function readOverdueValidations(books: BooksDb, before: string): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT id FROM vat_validations WHERE status = 'pending' AND next_attempt_at <= ?
         AND ${openHome('vat_validations.account_id')}
       ORDER BY next_attempt_at LIMIT 100`,
    )
    .bind(before)
    .all<{ id: string }>()
  return results.map((row) => row.id)
}
