import type { VatScheme } from '../../engine/ground/vat-schemes.ts'
import type { KnownCustomer } from './known-customers.ts'

/** The scheme of a customer: that of the request, where null is none, else that on file. */
export function schemeNamed(
  given: { vat_scheme?: VatScheme | null | undefined } | null | undefined,
  known: KnownCustomer | null,
): VatScheme | null {
  return given?.vat_scheme === undefined ? (known?.vat_scheme ?? null) : given.vat_scheme
}
