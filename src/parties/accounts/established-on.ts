import type { HeldEstablishment } from '../../platform/context.ts'

/** The member states in which a seller has a fixed establishment on a day. */
export function establishedOn(establishments: readonly HeldEstablishment[], day: string): string[] {
  return establishments
    .filter(({ from, to }) => from <= day && day <= (to ?? day))
    .map(({ country }) => country)
}
