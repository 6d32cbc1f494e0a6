import type { TaxLayer } from '../book/layer.ts'
import type { Supplied, Walk } from '../found/found.ts'
import { type Place, type RegimeLaw, registrationsFor, type TaxedSupply } from '../regimes/regime.ts'

/** Step 4: whether the seller may charge one tax of a supply at a place. */
export function mayCharge(
  { registrations, seller }: Walk,
  { law }: Place,
  supply: TaxedSupply,
  layer: TaxLayer,
  { freed }: Supplied,
): boolean {
  if (freed.includes(layer)) return false
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
