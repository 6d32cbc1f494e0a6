import type { exemptions } from '../../platform/database/tables/customers.ts'

/** An exemption of a customer, in the database as in the API: 2.3 of the specification. */
export type StoredExemption = Omit<
  typeof exemptions.$inferSelect,
  'account_id' | 'customer_id' | 'sales' | 'document_id'
>

/** The fields of an exemption without a file. */
export const NO_DOCUMENT = { document_type: null, document_bytes: null, document_sha256: null } as const
