/** Directive 2006/112/EC, art. 5(2). */
export const MEMBER_STATES: readonly string[] =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')

/** The states that issue VAT ids. The Windsor Framework adds XI, for goods alone. */
export const ISSUERS_FOR_SERVICES: ReadonlySet<string> = new Set(MEMBER_STATES)
export const ISSUERS_FOR_GOODS: ReadonlySet<string> = new Set([...MEMBER_STATES, 'XI'])

/** The member state with which the tax of a place is declared. Monaco counts as France: art. 7(1). */
export function memberStateOf(place: string): string {
  const country = place.slice(0, 2)
  return country === 'MC' ? 'FR' : country
}

/**
 * The registration by which a small business of another member state charges no tax in a state: its number
 * has the suffix EX (Directive 2006/112/EC, art. 284(3)).
 */
export function smallBusinessIdIn(state: string): string {
  return `${state}-EX`
}

/** Whether a registration is that of a small business of another member state. */
export function isSmallBusinessId(registration: string): boolean {
  return MEMBER_STATES.some((state) => smallBusinessIdIn(state) === registration)
}

/**
 * The codes of registrations that hold in a state, where it is not its own alone: the United Kingdom has one
 * registration, with the code GB or, for goods in Northern Ireland, XI.
 */
export const REGISTRATIONS_IN: Readonly<Record<string, readonly string[]>> = { XI: ['XI', 'GB'] }
