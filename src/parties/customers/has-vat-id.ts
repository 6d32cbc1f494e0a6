import type { KnownCustomer } from './known-customers.ts'

/** Whether a sale has a VAT id of its customer, in the request or on file. */
export function hasVatId(
  given: { vat_id?: string | null | undefined } | null | undefined,
  known: KnownCustomer | null,
): boolean {
  return Boolean(given?.vat_id || known?.vat_id)
}
