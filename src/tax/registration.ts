import type { Registrations } from './found.ts'
import type { TaxLayer } from './book/product-rules.ts'
import { type Place, type RegimeLaw, registrationsFor, type TaxedSupply } from './regimes/regime.ts'
import type { Seller } from './sale.ts'

/**
 * `stated`, from the request, wins over the registrations. If both and the address are unknown, registration
 * is assumed.
 */
export function registrationsOf(seller: Seller, stated: boolean | null): Registrations {
  const { registrations } = seller
  if (stated !== null) return { assumed: false, stated, holds: () => stated }
  if (registrations === null) return { assumed: seller.address === null, stated, holds: () => false }
  return { assumed: false, stated, holds: (registration) => registrations.includes(registration) }
}

/** Whether the seller may charge one tax of a supply. */
export function isRegisteredFor(
  law: RegimeLaw,
  layer: TaxLayer,
  supply: TaxedSupply,
  seller: Place | null,
  registrations: Registrations,
): boolean {
  if (registrations.stated !== null) return registrations.stated
  if (registrations.assumed || isEstablishedFor(law, layer, supply, seller)) return true
  return registrationsFor(law, layer, supply).some(registrations.holds)
}

/** A province asks its own sellers only; a country with one tax asks all that are established in it. */
function isEstablishedFor(
  { provinces }: RegimeLaw,
  layer: TaxLayer,
  supply: TaxedSupply,
  seller: Place | null,
): boolean {
  return provinces === null ? supply.established : provinces.isEstablishedFor(layer, supply, seller)
}
