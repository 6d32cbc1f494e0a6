import type { customers } from '../../platform/database/tables/customers.ts'
import { type HashedFields, newAuditSalt } from '../../platform/database/audit-values.ts'
import { countryOfScheme } from '../../engine/ground/vat-schemes.ts'
import { fieldError } from '../../platform/errors.ts'
import { schemeElsewhere } from './scheme-elsewhere.ts'
import type { StoredExemption } from '../exemptions/exemption.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { Customer, CustomerBody } from './schemas.ts'

/** Its `folded_name` follows from the name: store.ts writes it. */
export type CustomerRow = Omit<typeof customers.$inferSelect, 'account_id' | 'folded_name'>

/** The customer after a request. Throws invalid_request if no external id, e-mail or name is left. */
export function changeCustomer(before: CustomerRow, body: CustomerBody): CustomerRow {
  const after: CustomerRow = {
    ...before,
    ...(body.external_id !== undefined && { external_id: body.external_id }),
    ...(body.email !== undefined && { email: body.email }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.address !== undefined && addressColumns(body.address)),
    ...(body.vat_id !== undefined && { vat_id: body.vat_id }),
    ...(body.metadata !== undefined && { metadata: JSON.stringify(body.metadata ?? {}) }),
    ...(body.vat_scheme !== undefined && { vat_scheme: body.vat_scheme }),
    audit_salt: before.audit_salt || newAuditSalt(),
  }
  if (after.external_id === null && after.email === null && after.name === null) {
    throw fieldError('invalid_request', 'external_id', 'or email or name is required')
  }
  refuseSchemeElsewhere(after)
  // The authority's answer is about the old number and, if that has no prefix, about the old country.
  if (after.vat_id !== before.vat_id || after.country !== before.country)
    return { ...after, ...NOT_VALIDATED }
  return after
}

function refuseSchemeElsewhere({ vat_scheme, country }: CustomerRow): void {
  if (vat_scheme === null || country === countryOfScheme(vat_scheme)) return
  throw fieldError('invalid_request', 'vat_scheme', schemeElsewhere(vat_scheme))
}

/** Personal fields. The audit log has only their hashes. */
const PERSONAL = new Set([
  'external_id',
  'email',
  'name',
  'city',
  'postal_code',
  'line1',
  'line2',
  'vat_id',
  'vat_id_company_name',
  'metadata',
])

/** How the audit log records the fields of a customer. */
export function hashedFieldsOf({ audit_salt }: Pick<CustomerRow, 'audit_salt'>): HashedFields {
  return { names: PERSONAL, salt: audit_salt }
}

export const NOT_VALIDATED = { vat_id_validated: 0, vat_id_validated_at: null, vat_id_company_name: null }

/** A customer as the API shows it. Without a country, the address is null. */
export function presentCustomer(
  row: CustomerRow,
  exemptions: readonly StoredExemption[],
): Answer<typeof Customer> {
  const { id, external_id, email, name, country, region, city, postal_code, line1, line2 } = row
  const metadata: Record<string, string> = JSON.parse(row.metadata)
  return {
    id,
    external_id,
    email,
    name,
    address: country === null ? null : { country, region, city, postal_code, line1, line2 },
    vat_id: row.vat_id,
    vat_id_validated: row.vat_id_validated === 1,
    vat_id_validated_at: row.vat_id_validated_at,
    vat_id_company_name: row.vat_id_company_name,
    vat_scheme: row.vat_scheme,
    metadata,
    exemptions,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function addressColumns(address: CustomerBody['address']) {
  return {
    country: address?.country ?? null,
    region: address?.region ?? null,
    city: address?.city ?? null,
    postal_code: address?.postal_code ?? null,
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
  }
}
