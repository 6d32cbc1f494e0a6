import { REGIONAL } from '../../engine/regimes/list.ts'
import type { Address } from '../../engine/sale/sale.ts'

/** Whether one of the addresses names a region that may not be understood. */
export function hasFreeRegion(addresses: readonly (Address | null | undefined)[]): boolean {
  return addresses.some((address) => address?.region && !REGIONAL.has(address.country))
}
