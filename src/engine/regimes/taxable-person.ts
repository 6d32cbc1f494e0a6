import type { SupplyKind } from '../book/product-types.ts'
import type { CustomerStatus, VatId } from '../sale/sale.ts'
import type { RegimeLaw } from './regime.ts'

/** Whether the customer is a taxable person under a law: as a buyer of goods, and of other products. */
export type TaxablePerson = { readonly goods: boolean; readonly others: boolean }

/** Whether the customer is a taxable person under a law, for each kind of product. */
export function taxablePerson(law: RegimeLaw, customer: CustomerStatus): TaxablePerson {
  return {
    goods: isTaxablePerson(law, customer, 'goods'),
    others: isTaxablePerson(law, customer, 'service'),
  }
}

/**
 * Whether the customer is a taxable person under a law. Where a law asks for an id, only a good id of the
 * place shows it: Implementing Regulation (EU) 282/2011, art. 18; VATA 1994, s. 7AA; GST Act 1999 (AU),
 * s. 84-105; GST Act 1985 (NZ), s. 8BB. The type that the request states frees nobody there. Other laws
 * believe the type.
 */
export function isTaxablePerson(
  { business_ids }: RegimeLaw,
  { type, vat_id }: CustomerStatus,
  kind: SupplyKind,
): boolean {
  if (business_ids === null) return type === 'business' || (vat_id !== null && !vat_id.invalid)
  return hasGoodIdOf(kind === 'goods' ? business_ids.goods : business_ids.others, vat_id)
}

/** Whether a VAT id is good, one of these states or countries issued it, and it shows a business there. */
export function hasGoodIdOf(issuers: ReadonlySet<string>, vat_id: VatId | null): boolean {
  return vat_id !== null && vat_id.good && vat_id.worth !== 'nothing' && issuers.has(vat_id.country)
}
