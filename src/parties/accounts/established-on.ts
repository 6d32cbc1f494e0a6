import type { HeldEstablishment } from '../../platform/context.ts'

/** The establishments of an account that are there on a day. */
export function heldOn(establishments: readonly HeldEstablishment[], day: string): HeldEstablishment[] {
  return establishments.filter(({ from, to }) => from <= day && day <= (to ?? day))
}

/** The place of an establishment as a jurisdiction id: `DE` or `US-TX`. */
export function placeOfEstablishment({ country, region }: HeldEstablishment): string {
  return region ? `${country}-${region}` : country
}
