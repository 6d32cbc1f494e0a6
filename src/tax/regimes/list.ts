import { au } from './au.ts'
import { ca } from './ca.ts'
import { eu } from './eu.ts'
import { gb } from './gb.ts'
import { nz } from './nz.ts'
import { us } from './us.ts'

/** The law of each region of the data. A new country is one more line here. */
export const REGIMES = { EU: eu, UK: gb, US: us, CA: ca, AU: au, NZ: nz } as const

/** A region of the data. */
export type Region = keyof typeof REGIMES

/** All regions of the data. */
export const FACTS_REGIONS: readonly Region[] = Object.keys(REGIMES).filter(isRegion)

/** The regions with local taxes. Each of them is one country. */
export const COUNTRIES_WITH_LOCAL_TAX: readonly Region[] = FACTS_REGIONS.filter(
  (region) => REGIMES[region].localTax !== null,
)

/** Whether a text is the id of a region. */
export function isRegion(text: string): text is Region {
  return Object.hasOwn(REGIMES, text)
}
