import type { Assessment } from '../../engine/found/assessment.ts'
import { isSurcharge } from '../../engine/book/surcharge.ts'
import { countryOfScheme, type VatScheme } from '../../engine/ground/vat-schemes.ts'
import { withRecargo } from '../../engine/terms/es-recargo.ts'
import type { Address, Customer, CustomerScheme, Sale } from '../../engine/sale/sale.ts'
import { fieldError } from '../../platform/errors.ts'
import type { KnownCustomer } from './known-customers.ts'
import { schemeElsewhere } from './scheme-elsewhere.ts'

type CustomerWithScheme = { type?: Customer['type'] | undefined; vat_scheme?: VatScheme | null | undefined }

const LAWS: Readonly<Record<VatScheme, CustomerScheme['law']>> = { es_recargo: { treated: withRecargo } }

/**
 * The scheme of the customer of a sale: that of the request, where null is none, else that on file. That on
 * file does not follow the customer to an address abroad. Throws invalid_request if the request states it for
 * such an address, or for a consumer.
 */
export function customerSchemeOf(
  given: CustomerWithScheme | null,
  known: KnownCustomer | null,
  { country }: Address,
): CustomerScheme | null {
  const stated = given?.vat_scheme !== undefined
  const id = stated ? given.vat_scheme : known?.vat_scheme
  if (!id) return null
  if (country !== countryOfScheme(id)) {
    if (stated) throw fieldError('invalid_request', 'customer.vat_scheme', schemeElsewhere(id))
    return null
  }
  if (given?.type === 'individual') {
    if (stated)
      throw fieldError('invalid_request', 'customer.vat_scheme', 'is for businesses, not individuals')
    return null
  }
  return { id, law: LAWS[id] }
}

/** That a scheme of the customer brought no second tax. */
export function notesOnScheme({ customer }: Sale, { tax_breakdown }: Assessment): readonly string[] {
  if (!customer.vat_scheme || tax_breakdown.some(({ tax_type }) => isSurcharge(tax_type))) return []
  return [
    'customer.vat_scheme was not used: the recargo de equivalencia falls on goods with VAT that a seller ' +
      'established in Spain sells there, outside the Canary Islands, Ceuta and Melilla',
  ]
}
