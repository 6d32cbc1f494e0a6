import type { SupplyKind } from '../book/product-types.ts'
import type { CustomerStatus, VatId } from '../sale/sale.ts'
import type { RegimeLaw } from './regime.ts'

/** Whether the customer is a taxable person under a law: as a buyer of goods, and of other products. */
export type TaxablePerson = { readonly goods: boolean; readonly others: boolean }

/**
 * Whether the customer is a taxable person under a law. Where a law asks for an id, only a good id of the
 * place shows it: Implementing Regulation (EU) 282/2011, art. 18; VATA 1994, s. 7AA; GST Act 1999 (AU),
 * s. 84-105; GST Act 1985 (NZ), s. 8BB. The type that the request states frees nobody there. Other laws
 * believe the type.
 */
export function taxablePerson({ business_ids }: RegimeLaw, { type, vat_id }: CustomerStatus): TaxablePerson {
  if (business_ids === null) {
    const believed = type === 'business' || (vat_id !== null && !vat_id.invalid)
    return believed ? TAXABLE : NOT_TAXABLE
  }
  if (vat_id === null) return NOT_TAXABLE
  const { goods, others } = business_ids
  return { goods: hasGoodIdOf(goods, vat_id), others: hasGoodIdOf(others, vat_id) }
}

const TAXABLE: TaxablePerson = { goods: true, others: true }
const NOT_TAXABLE: TaxablePerson = { goods: false, others: false }

/** The same for one kind of product. */
export function isTaxablePerson(law: RegimeLaw, customer: CustomerStatus, kind: SupplyKind): boolean {
  const { goods, others } = taxablePerson(law, customer)
  return kind === 'goods' ? goods : others
}

/** Whether a VAT id is good, one of these states or countries issued it, and it shows a business there. */
export function hasGoodIdOf(issuers: ReadonlySet<string>, vat_id: VatId | null): boolean {
  return vat_id !== null && vat_id.good && vat_id.worth !== 'nothing' && issuers.has(vat_id.country)
}
