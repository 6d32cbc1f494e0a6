import type { TaxType } from './book/facts.ts'
import type { Place } from './place.ts'
import type { Supply } from './regimes/regime.ts'
import type { Seller } from './sale.ts'

/** What is known of a seller's registrations. */
export type Registrations = {
  /** Nothing at all is known, so registration is assumed and said so. */
  assumed: boolean
  /** The request's own word, which wins; null: it says nothing. */
  stated: boolean | null
  holds: (registration: string) => boolean
}

/**
 * The request's own word wins, then its registrations; where nothing at all is known, registration is
 * assumed.
 */
export function registrationsOf(seller: Seller, stated: boolean | null): Registrations {
  const { registrations } = seller
  if (stated !== null) return { assumed: false, stated, holds: () => stated }
  if (registrations === null) return { assumed: seller.address === null, stated, holds: () => false }
  return { assumed: false, stated, holds: (registration) => holdsRegistration(registrations, registration) }
}

/** Whether the seller may charge one tax of a supply. */
export function isRegisteredFor(
  tax: { jurisdiction_id: string; tax_type: TaxType },
  supply: Supply & { kind: 'taxed' },
  seller: Place | null,
  registrations: Registrations,
): boolean {
  if (registrations.stated !== null) return registrations.stated
  if (registrations.assumed) return true
  if (supply.registrations === null)
    return isRegisteredInCanada(tax, supply.established, seller, registrations)
  return supply.established || supply.registrations.some(registrations.holds)
}

/** GST/HST needs one registration for all of Canada (ETA, s. 240); the provinces' own taxes one each. */
function isRegisteredInCanada(
  tax: { jurisdiction_id: string; tax_type: TaxType },
  established: boolean,
  seller: Place | null,
  registrations: Registrations,
): boolean {
  const federal = tax.tax_type === 'GST' || tax.tax_type === 'HST'
  if (federal) return established || registrations.holds('CA')
  return (
    registrations.holds(tax.jurisdiction_id) ||
    (established && seller?.jurisdiction_id === tax.jurisdiction_id)
  )
}

/** The United Kingdom knows one registration, under GB and, for goods in Northern Ireland, XI. */
function holdsRegistration(registrations: readonly string[], registration: string): boolean {
  if (registrations.includes(registration)) return true
  return (
    (registration === 'XI' && registrations.includes('GB')) ||
    (registration === 'GB' && registrations.includes('XI'))
  )
}
