import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import { REGIMES } from '../../engine/regimes/list.ts'
import type { Address } from '../../engine/sale/sale.ts'
import { onForget } from '../../platform/kit/memory.ts'

/**
 * Modules that few calculations need, so a start of a checkout does not evaluate them. Null: not needed.
 * `views`: the view of the invoice; `numbers`: the stored numbers under which a tax is charged; `vat_ids`:
 * the forms and check digits of all countries, an eighth of what a start would evaluate; `regions`: the
 * names of all regions of ISO 3166-2, a quarter of it.
 */
export type LateModules = {
  views: typeof import('./einvoice.ts') | null
  numbers: typeof import('./stored-numbers.ts') | null
  vat_ids: typeof import('../../parties/customers/customer-vat-id.ts') | null
  regions: typeof import('./unread-regions.ts') | null
}

/** Which of them a calculation needs. */
export type NeededModules = { [Name in keyof LateModules]: boolean }

const NONE: LateModules = { views: null, numbers: null, vat_ids: null, regions: null }
const evaluated: LateModules = { ...NONE }
onForget(() => {
  Object.assign(evaluated, NONE)
})

/** The needed modules, if this isolate has evaluated them; else null. */
export function heldModules(needed: NeededModules): LateModules | null {
  const { views, numbers, vat_ids, regions } = chosen(needed)
  const all =
    (views !== null || !needed.views) &&
    (numbers !== null || !needed.numbers) &&
    (vat_ids !== null || !needed.vat_ids) &&
    (regions !== null || !needed.regions)
  return all ? { views, numbers, vat_ids, regions } : null
}

/** Evaluates the needed modules. They are parts of the Worker, so nothing is read. */
export async function loadModules(needed: NeededModules): Promise<LateModules> {
  if (needed.views) evaluated.views ??= await import('./einvoice.ts')
  if (needed.numbers) evaluated.numbers ??= await import('./stored-numbers.ts')
  if (needed.vat_ids) evaluated.vat_ids ??= await import('../../parties/customers/customer-vat-id.ts')
  if (needed.regions) evaluated.regions ??= await import('./unread-regions.ts')
  return chosen(needed)
}

function chosen({ views, numbers, vat_ids, regions }: NeededModules): LateModules {
  return {
    views: views ? evaluated.views : null,
    numbers: numbers ? evaluated.numbers : null,
    vat_ids: vat_ids ? evaluated.vat_ids : null,
    regions: regions ? evaluated.regions : null,
  }
}

/** The countries whose tax is that of a state: a region that they do not have is refused. */
export const REGIONAL: ReadonlySet<string> = new Set(
  FACTS_REGIONS.filter((id) => REGIMES[id].address.regional),
)

/** Whether one of the addresses names a region that may not be understood. */
export function hasFreeRegion(addresses: readonly (Address | null | undefined)[]): boolean {
  return addresses.some((address) => address?.region && !REGIONAL.has(address.country))
}
