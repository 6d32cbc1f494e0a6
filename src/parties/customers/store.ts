import { allColumnsOf } from '../../platform/database/column-list.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { Context } from '../../platform/context.ts'
import { noteErasure } from '../../platform/database/note-erasure.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { ApiError } from '../../platform/errors.ts'
import type { StoredExemption } from '../exemptions/exemption.ts'
import { dropDocuments } from '../exemptions/document-store.ts'
import { OF_CUSTOMERS } from '../exemptions/freeing.ts'
import { EXEMPTION_COLUMNS } from '../exemptions/store.ts'
import type { CustomerRow } from './customer.ts'
import { nameToStore } from './folded-name.ts'

type CustomerOnFile = { row: CustomerRow; exemptions: readonly StoredExemption[] }
type CustomerPage = {
  email: string | undefined
  /** Those that a search found. */
  ids: readonly string[] | undefined
  cursor: string | undefined
  limit: number
  offset: number
}

const COLUMNS = allColumnsOf<CustomerRow>()(
  `id, external_id, email, name, country, region, city, postal_code, line1, line2,
  vat_id, vat_id_validated, vat_id_validated_at, vat_id_company_name, metadata, created_at, updated_at,
  audit_salt, vat_scheme`,
)

/** A customer with its exemptions. Throws not_found. */
export async function readCustomer(
  context: Context,
  by: 'id' | 'external_id',
  value: string,
): Promise<CustomerOnFile> {
  const { books, principal } = context
  const customer = `FROM customers WHERE account_id = ?1 AND ${by} = ?2` as const
  const [customers, exemptions] = await books.batch<CustomerRow & StoredExemption>([
    books.prepare(`SELECT ${COLUMNS} ${customer}`).bind(principal.account_id, value),
    books
      .prepare(
        `SELECT ${EXEMPTION_COLUMNS} FROM ${OF_CUSTOMERS} WHERE account_id = ?1
         AND customer_id = (SELECT id ${customer}) ORDER BY id DESC`,
      )
      .bind(principal.account_id, value),
  ])
  const row = customers?.results[0]
  if (row === undefined) throw new ApiError('not_found')
  return { row, exemptions: rowsOf(exemptions) }
}

/** The id of the customer with an external id; null if there is none. */
export async function findCustomerId(
  { books, principal }: Context,
  external_id: string,
): Promise<string | null> {
  return books
    .prepare('SELECT id FROM customers WHERE account_id = ? AND external_id = ?')
    .bind(principal.account_id, external_id)
    .first<string>('id')
}

/** The external ids of customers, the newest first. */
export async function readExternalIds({ books, principal }: Context, limit: number): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT external_id FROM customers WHERE account_id = ? AND external_id IS NOT NULL
       ORDER BY id DESC LIMIT ?`,
    )
    .bind(principal.account_id, limit)
    .all<{ external_id: string }>()
  return results.map(({ external_id }) => external_id)
}

/**
 * A page of the customers, newest first, with their exemptions, and the number of all customers. It has one
 * customer more than the limit if there is a next page.
 */
export async function readCustomers(
  { books, principal }: Context,
  filter: CustomerPage,
): Promise<{ customers: CustomerOnFile[]; total: number }> {
  const { email, ids, cursor, limit, offset } = filter
  const searched = ids === undefined ? '' : ' AND id IN (SELECT value FROM json_each(?3))'
  const matching =
    `FROM customers WHERE account_id = ?1${email === undefined ? '' : ' AND email = ?2'}${searched}` as const
  const page =
    `${matching}${cursor === undefined ? '' : ' AND id < ?4'} ORDER BY id DESC LIMIT ?5 OFFSET ?6` as const
  const sought = [principal.account_id, email ?? null, JSON.stringify(ids ?? [])]
  const bound = [...sought, cursor ?? null, limit + 1, offset]
  const [rows, exemptions, count] = await books.batch<
    CustomerRow & StoredExemption & { customer_id: string; total: number }
  >([
    books.prepare(`SELECT ${COLUMNS} ${page}`).bind(...bound),
    books
      .prepare(
        `SELECT customer_id, ${EXEMPTION_COLUMNS} FROM ${OF_CUSTOMERS}
         WHERE account_id = ?1 AND customer_id IN (SELECT id ${page}) ORDER BY id DESC`,
      )
      .bind(...bound),
    books
      .prepare(`SELECT count(*) AS total ${matching}`)
      .bind(...sought.slice(0, ids === undefined ? (email === undefined ? 1 : 2) : 3)),
  ])
  const held = Map.groupBy(rowsOf(exemptions), (exemption) => exemption.customer_id)
  const customers = rowsOf(rows).map((row) => ({
    row,
    exemptions: (held.get(row.id) ?? []).map(withoutCustomer),
  }))
  return { customers, total: totalOf(count) }
}

/** The stored result of the check of a customer's VAT id, for the audit log. Throws not_found. */
export async function readValidated(
  books: BooksDb,
  account_id: string,
  id: string,
): Promise<
  Pick<CustomerRow, 'vat_id_validated' | 'vat_id_validated_at' | 'vat_id_company_name' | 'audit_salt'>
> {
  const row = await books
    .prepare(
      `SELECT vat_id_validated, vat_id_validated_at, vat_id_company_name, audit_salt FROM customers
       WHERE account_id = ? AND id = ?`,
    )
    .bind(account_id, id)
    .first<CustomerRow>()
  if (row === null) throw new ApiError('not_found')
  return row
}

export function insertCustomer({ books, principal }: Context, row: CustomerRow): D1PreparedStatement[] {
  return insertRows(books, 'customers', [
    { account_id: principal.account_id, ...row, folded_name: nameToStore(row.name) },
  ])
}

/** Changes one row, or no row if it was deleted or changed since it was read. */
export function replaceCustomer(
  { books, principal }: Context,
  before: CustomerRow,
  after: CustomerRow,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE customers SET external_id = ?, email = ?, name = ?, country = ?, region = ?, city = ?,
       postal_code = ?, line1 = ?, line2 = ?,
       vat_id = ?, vat_id_validated = ?, vat_id_validated_at = ?, vat_id_company_name = ?,
       metadata = ?, updated_at = ?, audit_salt = ?, folded_name = ?, vat_scheme = ?
     WHERE account_id = ? AND id = ? AND updated_at = ?`,
    )
    .bind(
      after.external_id,
      after.email,
      after.name,
      after.country,
      after.region,
      after.city,
      after.postal_code,
      after.line1,
      after.line2,
      after.vat_id,
      after.vat_id_validated,
      after.vat_id_validated_at,
      after.vat_id_company_name,
      after.metadata,
      after.updated_at,
      after.audit_salt,
      nameToStore(after.name),
      after.vat_scheme,
      principal.account_id,
      before.id,
      before.updated_at,
    )
}

/** Whose customer is erased, where and when. */
type Erasing = Pick<Context, 'books' | 'now'> & { principal: Pick<Context['principal'], 'account_id'> }

/** The statements that delete a customer, and first everything that refers to it. */
export function eraseCustomer(
  context: Erasing,
  id: string,
): { belongings: D1PreparedStatement[]; customer: D1PreparedStatement } {
  const { books, principal } = context
  type Belonging = 'exemptions' | 'certificate_requests' | 'vat_validations' | 'customers'
  const erase = (table: Belonging, column: string) =>
    books
      .prepare(`DELETE FROM ${table} WHERE account_id = ? AND ${column} = ?`)
      .bind(principal.account_id, id)
  return {
    belongings: [
      eraseFromDocuments(context, id),
      uncountExemptions(context, id),
      ...dropDocuments(context, 'customer_id', id),
      erase('exemptions', 'customer_id'),
      erase('certificate_requests', 'customer_id'),
      erase('vat_validations', 'customer_id'),
      eraseAnswers(context, id),
      noteErasure(books, { account_id: principal.account_id, customer_id: id }, context.now.toISOString()),
    ],
    customer: erase('customers', 'id'),
  }
}

/**
 * Removes the customer and its street from orders in the form of TaxJar. It sets `updated_at`, so a
 * concurrent change of such an order fails instead of writing them back. Put it before the deletion.
 */
function eraseFromDocuments({ books, principal, now }: Erasing, id: string): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE taxjar_documents
       SET customer_id = NULL, body = json_set(body, '$.customer_id', NULL, '$.to_street', NULL),
         updated_at = ?3
       WHERE account_id = ?1
         AND customer_id = (SELECT external_id FROM customers WHERE account_id = ?1 AND id = ?2)`,
    )
    .bind(principal.account_id, id, now.toISOString())
}

/**
 * The kept answers for Idempotency-Keys contain data of the person. The keys stay: a late repeat of the
 * request that made the customer must not make it again.
 */
function eraseAnswers({ books, principal }: Erasing, id: string): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE idempotency_keys SET answer = '', customer_id = NULL
       WHERE account_id = ? AND customer_id = ?`,
    )
    .bind(principal.account_id, id)
}

/** Subtracts the exemptions that the erasure deletes. Put it before the deletion. */
function uncountExemptions({ books, principal }: Erasing, id: string): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE account_usage SET exemptions = exemptions -
       (SELECT count(*) FROM exemptions WHERE account_id = ?1 AND customer_id = ?2)
     WHERE account_id = ?1`,
    )
    .bind(principal.account_id, id)
}

function withoutCustomer({
  customer_id: _owner,
  ...exemption
}: StoredExemption & { customer_id: string }): StoredExemption {
  return exemption
}
