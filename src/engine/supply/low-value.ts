import type { Supply } from '../regimes/regime.ts'

/** Whether goods are taxed at the sale because they are imported in a consignment of low value. */
export function isLowValue(supply: Supply): boolean {
  return supply.kind === 'taxed' && supply.registrations.length === 1 && supply.registrations[0] === 'ioss'
}
