import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import { REGIMES } from '../../engine/regimes/list.ts'
import type { Address } from '../../engine/sale/sale.ts'
import { onForget } from '../../platform/kit/memory.ts'

/**
 * Modules that few calculations need, so a start of a checkout does not evaluate them. `views`: the view of
 * the invoice; `numbers`: the stored numbers under which a tax is charged; `vat_ids`: the forms and check
 * digits of all countries, an eighth of what a start would evaluate; `regions`: the names of all regions of
 * ISO 3166-2, a quarter of it; `comparison`: why another service has another tax; `totals`: why a caller
 * expects another total; `words`: an assessment as sentences; `duties`: customs duty beside the tax.
 */
const LATE = {
  views: () => import('./einvoice.ts'),
  numbers: () => import('./stored-numbers.ts'),
  vat_ids: () => import('../../parties/customers/customer-vat-id.ts'),
  regions: () => import('./unread-regions.ts'),
  comparison: () => import('./comparison.ts'),
  totals: () => import('./expected-total.ts'),
  words: () => import('../../engine/words/assessment-in-words.ts'),
  duties: () => import('./customs-duty.ts'),
}

export type LateName = keyof typeof LATE

/** Those that a calculation needs. Null: it does not need the module. */
export type LateModules = { [Name in LateName]: Awaited<ReturnType<(typeof LATE)[Name]>> | null }

const NONE: LateModules = {
  views: null,
  numbers: null,
  vat_ids: null,
  regions: null,
  comparison: null,
  totals: null,
  words: null,
  duties: null,
}
const evaluated: LateModules = { ...NONE }
onForget(() => {
  Object.assign(evaluated, NONE)
})

/** The needed modules, if this isolate has evaluated them; else null. */
export function heldModules(needed: readonly LateName[]): LateModules | null {
  if (needed.length === 0) return NONE
  return needed.every((name) => evaluated[name] !== null) ? chosen(needed) : null
}

/** Evaluates the needed modules. They are parts of the Worker, so nothing is read. */
export async function loadModules(needed: readonly LateName[]): Promise<LateModules> {
  for (const name of needed)
    if (evaluated[name] === null) Object.assign(evaluated, { [name]: await LATE[name]() })
  return chosen(needed)
}

function chosen(needed: readonly LateName[]): LateModules {
  const found = { ...NONE }
  for (const name of needed) Object.assign(found, { [name]: evaluated[name] })
  return found
}

/** The countries whose tax is that of a state: a region that they do not have is refused. */
export const REGIONAL: ReadonlySet<string> = new Set(
  FACTS_REGIONS.filter((id) => REGIMES[id].address.regional),
)

/** Whether one of the addresses names a region that may not be understood. */
export function hasFreeRegion(addresses: readonly (Address | null | undefined)[]): boolean {
  return addresses.some((address) => address?.region && !REGIONAL.has(address.country))
}
