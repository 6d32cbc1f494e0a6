import { CODED_REGIONS } from '../../engine/book/regions.ts'
import { REGIMES } from '../../engine/regimes/list.ts'
import type { Address } from '../../engine/sale/sale.ts'

/** The countries whose tax is that of a state: a region that they do not have is refused. */
export const REGIONAL: ReadonlySet<string> = new Set(
  CODED_REGIONS.filter((id) => REGIMES[id].address.regional),
)

/** Whether one of the addresses names a region that may not be understood. */
export function hasFreeRegion(addresses: readonly (Address | null | undefined)[]): boolean {
  return addresses.some((address) => address?.region && !REGIONAL.has(address.country))
}
