import type { CustomerStatus, VatId } from '../sale/sale.ts'
import type { SupplyKind } from '../book/product-types.ts'
import type { RegimeLaw } from './regime.ts'

/**
 * Whether the customer is a taxable person under a law. Where a law asks for an id, only a good id of the
 * place shows it: Implementing Regulation (EU) 282/2011, art. 18; VATA 1994, s. 7AA; GST Act 1999 (AU),
 * s. 84-105; GST Act 1985 (NZ), s. 8BB. The type that the request states frees nobody there. Other laws
 * believe the type.
 */
export function isTaxablePerson(law: RegimeLaw, customer: CustomerStatus, kind: SupplyKind): boolean {
  const issuers = law.idsOfBusinesses(kind)
  if (issuers !== null) return hasGoodIdOf(issuers, customer.vat_id)
  return customer.type === 'business' || (customer.vat_id !== null && !customer.vat_id.invalid)
}

/** Whether a VAT id is good, one of these states or countries issued it, and it shows a business there. */
export function hasGoodIdOf(issuers: ReadonlySet<string>, vat_id: VatId | null): boolean {
  return vat_id !== null && vat_id.good && vat_id.worth !== 'nothing' && issuers.has(vat_id.country)
}
