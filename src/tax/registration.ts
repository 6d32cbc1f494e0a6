import type { TaxLayer } from './book/layer.ts'
import type { Supplied, Walk } from './found.ts'
import type { Place, TaxedSupply } from './regimes/regime.ts'

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
  if (registrations.assumed || law.isEstablishedFor(layer, supply, seller)) return true
  return law.registrationFor(layer, supply).some(registrations.holds)
}
