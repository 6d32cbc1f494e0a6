import { invariant } from '../../engine/ground/invariant.ts'
import { type Late, late } from '../../platform/kit/late.ts'

/**
 * Modules that few calculations need, so a start of a checkout does not evaluate them. `views`: the view of
 * the invoice; `numbers`: the stored numbers under which a tax is charged; `vat_ids`: the forms and check
 * digits of all countries, an eighth of what a start would evaluate; `regions`: the names of all regions of
 * ISO 3166-2, a quarter of it; `comparison`: why another service has another tax; `totals`: why a caller
 * expects another total; `words`: an assessment as sentences; `duties`: customs duty beside the tax;
 * `schemes`: the second tax by a scheme of the customer; `rare_lines`: lines for no supply, and deposits on
 * containers; `facilitator`: whose sale that of a marketplace is; `stated`: facts of the request that a sale
 * which is recorded from the answer has too; `open_facts`: what a request leaves open of products other than
 * plain goods; `tokens`: an answer as a sealed text by which it is recorded; `country_alone`: what answers
 * for an address without a region.
 */
const LATE = {
  views: late(() => import('./einvoice.ts')),
  numbers: late(() => import('./stored-numbers.ts')),
  vat_ids: late(() => import('../../parties/customers/customer-vat-id.ts')),
  regions: late(() => import('./unread-regions.ts')),
  comparison: late(() => import('./comparison.ts')),
  totals: late(() => import('./expected-total.ts')),
  words: late(() => import('../../engine/words/assessment-in-words.ts')),
  duties: late(() => import('./customs-duty.ts')),
  schemes: late(() => import('../../parties/customers/customer-scheme.ts')),
  rare_lines: late(() => import('./rare-lines.ts')),
  facilitator: late(() => import('../../engine/supply/facilitator.ts')),
  stated: late(() => import('./stated-facts.ts')),
  open_facts: late(() => import('../../engine/terms/open-facts.ts')),
  tokens: late(() => import('./calculation-token.ts')),
  country_alone: late(() => import('../../engine/supply/country-alone.ts')),
}

export type LateName = keyof typeof LATE

/** Those that a calculation needs. Null: it does not need the module. */
export type LateModules = {
  [Name in LateName]: (typeof LATE)[Name] extends Late<infer Module> ? Module | null : never
}

const NONE: LateModules = {
  views: null,
  numbers: null,
  vat_ids: null,
  regions: null,
  comparison: null,
  totals: null,
  words: null,
  duties: null,
  schemes: null,
  rare_lines: null,
  facilitator: null,
  stated: null,
  open_facts: null,
  tokens: null,
  country_alone: null,
}

/** The needed modules, if this isolate has evaluated them; else null. */
export function heldModules(needed: readonly LateName[]): LateModules | null {
  if (needed.length === 0) return NONE
  const found: Record<LateName, unknown> = { ...NONE }
  for (const name of needed) {
    found[name] = LATE[name].held()
    if (found[name] === null) return null
  }
  return found as LateModules
}

/** Evaluates the needed modules. They are parts of the Worker, so nothing is read. */
export async function loadModules(needed: readonly LateName[]): Promise<LateModules> {
  for (const name of needed) await LATE[name].load()
  return invariant(heldModules(needed), 'loaded')
}
