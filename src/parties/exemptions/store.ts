import { allColumnsOf } from '../../platform/database/column-list.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { Context } from '../../platform/context.ts'
import { required } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import type { StoredExemption } from './exemption.ts'
import { FREEING, LAST_DAY, OF_CUSTOMERS } from './freeing.ts'

export const EXEMPTION_COLUMNS = allColumnsOf<StoredExemption>()(
  `id, jurisdiction_id, exemption_type, certificate_number, certificate_url,
   valid_from, valid_to,
  status, verification_notes, created_at, updated_at,
  reason_code, document_type, document_bytes, document_sha256, ended_on`,
)

/** An exemption of a customer. Throws not_found. */
export async function readExemption(
  { books, principal }: Context,
  customer_id: string,
  id: string,
): Promise<StoredExemption> {
  const row = await books
    .prepare(
      `SELECT ${EXEMPTION_COLUMNS} FROM exemptions WHERE account_id = ? AND customer_id = ? AND id = ?`,
    )
    .bind(principal.account_id, customer_id, id)
    .first<StoredExemption>()
  if (row === null) throw new ApiError('not_found')
  return row
}

/** The salt of the hashes of a customer's data in the audit log. Throws not_found. */
export async function readAuditSalt({ books, principal }: Context, customer_id: string): Promise<string> {
  const row = await books
    .prepare('SELECT audit_salt FROM customers WHERE account_id = ? AND id = ?')
    .bind(principal.account_id, customer_id)
    .first<{ audit_salt: string }>()
  if (row === null) throw new ApiError('not_found')
  return row.audit_salt
}

/**
 * A page of a customer's exemptions, newest first, and how many there are. Throws not_found when there is no
 * such customer.
 */
export async function readExemptions(
  { books, principal }: Context,
  customer_id: string,
  limit: number,
  offset: number,
): Promise<{ exemptions: StoredExemption[]; total: number }> {
  const owner = [principal.account_id, customer_id]
  const [rows, count] = await books.batch<StoredExemption & { total: number }>([
    books
      .prepare(
        `SELECT ${EXEMPTION_COLUMNS} FROM ${OF_CUSTOMERS} WHERE account_id = ? AND customer_id = ?
         ORDER BY id DESC LIMIT ? OFFSET ?`,
      )
      .bind(...owner, limit, offset),
    books
      .prepare(
        `SELECT (SELECT count(*) FROM exemptions WHERE account_id = ?1 AND customer_id = ?2) AS total
       FROM customers WHERE account_id = ?1 AND id = ?2`,
      )
      .bind(...owner),
  ])
  const total = count?.results[0]?.total
  if (total === undefined) throw new ApiError('not_found')
  return { exemptions: rowsOf(rows), total }
}

type FreeingExemption = Pick<
  StoredExemption,
  'id' | 'jurisdiction_id' | 'exemption_type' | 'valid_from' | 'valid_to'
> & { status: 'verified' | 'expired' }

/**
 * The exemptions that free sales of the customer, each with its last day as `valid_to`. Throws not_found when
 * there is no such customer.
 */
export async function readFreeingExemptions(
  { books, principal }: Context,
  customer_id: string,
): Promise<FreeingExemption[]> {
  const owner = [principal.account_id, customer_id]
  const [customers, rows] = await books.batch<FreeingExemption>([
    books.prepare('SELECT id FROM customers WHERE account_id = ? AND id = ?').bind(...owner),
    books
      .prepare(
        `SELECT id, jurisdiction_id, exemption_type, valid_from, ${LAST_DAY} AS valid_to, status
         FROM ${OF_CUSTOMERS} WHERE account_id = ? AND customer_id = ? AND ${FREEING} ORDER BY id`,
      )
      .bind(...owner),
  ])
  if (customers?.results.length !== 1) throw new ApiError('not_found')
  return rowsOf(rows)
}

/** Adds one row, or no row if the account has no such customer. `document_id`: the file that it has. */
export function insertExemption(
  { books, principal }: Context,
  customer_id: string,
  row: StoredExemption,
  document_id: string | null = null,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO exemptions (account_id, customer_id, ${EXEMPTION_COLUMNS}, document_id)
     SELECT account_id, id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
     FROM customers WHERE account_id = ? AND id = ?`,
    )
    .bind(
      row.id,
      row.jurisdiction_id,
      row.exemption_type,
      row.certificate_number,
      row.certificate_url,
      row.valid_from,
      row.valid_to,
      row.status,
      row.verification_notes,
      row.created_at,
      row.updated_at,
      row.reason_code,
      row.document_type,
      row.document_bytes,
      row.document_sha256,
      row.ended_on,
      document_id,
      principal.account_id,
      customer_id,
    )
}

/** Changes one row, or no row if it was deleted, moved or changed since it was read. */
export function replaceExemption(
  { books, principal }: Context,
  before: StoredExemption,
  after: StoredExemption,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE exemptions SET jurisdiction_id = ?, exemption_type = ?, certificate_number = ?,
       certificate_url = ?, valid_from = ?, valid_to = ?,
       status = ?, verification_notes = ?, updated_at = ?, reason_code = ?, ended_on = ?
     WHERE account_id = ? AND id = ? AND status = ? AND updated_at = ?`,
    )
    .bind(
      after.jurisdiction_id,
      after.exemption_type,
      after.certificate_number,
      after.certificate_url,
      after.valid_from,
      after.valid_to,
      after.status,
      after.verification_notes,
      after.updated_at,
      after.reason_code,
      after.ended_on,
      principal.account_id,
      before.id,
      before.status,
      before.updated_at,
    )
}

/** A statement that fails its batch with exemption_in_use if sales rest on the exemption. */
export function unusedExemption({ books, principal }: Context, id: string): D1PreparedStatement {
  return required(
    books,
    'NOT EXISTS (SELECT 1 FROM exemptions WHERE account_id = ? AND id = ? AND sales > 0)',
    [principal.account_id, id],
    'exemption_in_use',
  )
}

export function removeExemption(
  { books, principal }: Context,
  customer_id: string,
  id: string,
): D1PreparedStatement {
  return books
    .prepare('DELETE FROM exemptions WHERE account_id = ? AND customer_id = ? AND id = ?')
    .bind(principal.account_id, customer_id, id)
}
