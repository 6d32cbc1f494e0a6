import type { HeldEstablishment } from '../../platform/context.ts'
import type { Seller } from '../../engine/sale/sale.ts'

/** The establishments of an account that are there on a day. */
export function heldOn(establishments: readonly HeldEstablishment[], day: string): HeldEstablishment[] {
  return establishments.filter(({ from, to }) => from <= day && day <= (to ?? day))
}

/** The place of an establishment as a jurisdiction id: `DE` or `US-TX`. */
export function placeOfEstablishment({ country, region }: HeldEstablishment): string {
  return region ? `${country}-${region}` : country
}

/** Fixed establishments decide VAT, and presence in a state of the US sales tax. */
export function placesOfSeller(
  places: readonly string[],
): Required<Pick<Seller, 'establishments' | 'present_in'>> {
  const isState = (id: string) => id.startsWith('US-')
  return {
    establishments: places.filter((id) => !isState(id)),
    present_in: [...new Set(places.filter(isState))],
  }
}
