import type { BooksDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { vat_validations } from '../../platform/database/tables/vat.ts'
import type { StoredExemption } from '../exemptions/exemption.ts'
import { FREEING, LAST_DAY, OF_CUSTOMERS } from '../exemptions/freeing.ts'
import type { CustomerRow } from './customer.ts'

export type TaxFieldsRow = Pick<
  CustomerRow,
  | 'id'
  | 'country'
  | 'region'
  | 'city'
  | 'postal_code'
  | 'vat_id'
  | 'vat_id_validated'
  | 'vat_id_validated_at'
  | 'vat_scheme'
>
export type FreeingRow = Pick<
  StoredExemption,
  'id' | 'jurisdiction_id' | 'exemption_type' | 'certificate_number' | 'valid_from' | 'valid_to'
> & { customer_id: string }
/** A conclusive answer about a customer's VAT id. */
export type ProofRow = { customer_id: string } & Pick<
  typeof vat_validations.$inferSelect,
  'vat_id' | 'status' | 'source' | 'consultation_number' | 'checked_at'
>

/**
 * The fields of customers that decide tax, with the exemptions of all days that free sales, and the last
 * answer of an authority about the VAT id of each.
 */
export async function readTaxFields(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
): Promise<{ customers: TaxFieldsRow[]; exemptions: FreeingRow[]; proofs: ProofRow[] }> {
  const list = JSON.stringify(ids)
  const [customers, exemptions, proofs] = await books.batch<TaxFieldsRow & FreeingRow & ProofRow>([
    books
      .prepare(
        `SELECT id, country, region, city, postal_code, vat_id, vat_id_validated, vat_id_validated_at,
           vat_scheme
         FROM customers
         WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))`,
      )
      .bind(account_id, list),
    books
      .prepare(
        `SELECT customer_id, id, jurisdiction_id, exemption_type, certificate_number, valid_from,
           ${LAST_DAY} AS valid_to
         FROM ${OF_CUSTOMERS}
         WHERE account_id = ? AND customer_id IN (SELECT value FROM json_each(?))
           AND ${FREEING} ORDER BY id`,
      )
      .bind(account_id, list),
    books
      .prepare(
        `SELECT customer_id, vat_id, status, source, consultation_number, checked_at FROM vat_validations
         WHERE account_id = ?1 AND id IN
           (SELECT (SELECT max(id) FROM vat_validations WHERE customer_id = value AND account_id = ?1
                      AND status IN ('valid', 'invalid'))
            FROM json_each(?2))`,
      )
      .bind(account_id, list),
  ])
  return { customers: rowsOf(customers), exemptions: rowsOf(exemptions), proofs: rowsOf(proofs) }
}
