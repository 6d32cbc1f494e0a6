import type { Context } from '../context.ts'
import type { StoredExemption } from './exemption.ts'
import type { ExemptionFilter } from './schemas.ts'

/** An exemption with its customer. */
export type ListedExemption = StoredExemption & {
  customer_id: string
  customer_name: string | null
  customer_external_id: string | null
}

/** A page of the exemptions of all customers, newest first. */
export async function listExemptions(
  { books, principal }: Context,
  filter: ExemptionFilter,
  limit: number,
): Promise<ListedExemption[]> {
  const { sql, values } = exemptionsStatement(filter)
  const statement = books.prepare(sql).bind(principal.account_id, ...values, limit)
  return (await statement.all<ListedExemption>()).results
}

/**
 * The statement of a page; bind the account before `values` and a limit after them. Exported for the test of
 * its plan.
 */
export function exemptionsStatement({ status, cursor }: ExemptionFilter): {
  sql: `${string}FROM exemptions ${string}`
  values: string[]
} {
  const conditions: [sql: string, value: string][] = []
  if (status !== undefined) conditions.push(['exemption.status = ?', status])
  if (cursor !== undefined) conditions.push(['exemption.id < ?', cursor])
  return {
    sql: `SELECT exemption.id, exemption.jurisdiction_id, exemption_type, certificate_number,
        certificate_url, valid_from, valid_to, exemption.status, verification_notes,
        exemption.created_at, exemption.updated_at, reason_code, document_type, document_bytes,
        document_sha256, customer_id, customer.name AS customer_name,
        customer.external_id AS customer_external_id
      FROM exemptions exemption
      JOIN customers customer ON customer.account_id = exemption.account_id AND customer.id = customer_id
      WHERE ${['exemption.account_id = ?', ...conditions.map(([sql]) => sql)].join(' AND ')}
      ORDER BY exemption.id DESC LIMIT ?`,
    values: conditions.map(([, value]) => value),
  }
}
