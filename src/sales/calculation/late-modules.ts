import { onForget } from '../../platform/kit/memory.ts'

/**
 * Modules that few calculations need, so a start of a checkout does not evaluate them. Null: not needed.
 * `views`: the view of the invoice; `numbers`: the stored numbers under which a tax is charged; `vat_ids`:
 * the forms and check digits of all countries, an eighth of what a start would evaluate.
 */
export type LateModules = {
  views: typeof import('./einvoice.ts') | null
  numbers: typeof import('./stored-numbers.ts') | null
  vat_ids: typeof import('../../parties/customers/customer-vat-id.ts') | null
}

/** Which of them a calculation needs. */
export type NeededModules = { [Name in keyof LateModules]: boolean }

const evaluated: LateModules = { views: null, numbers: null, vat_ids: null }
onForget(() => {
  Object.assign(evaluated, { views: null, numbers: null, vat_ids: null })
})

/** The needed modules, if this isolate has evaluated them; else null. */
export function heldModules(needed: NeededModules): LateModules | null {
  const { views, numbers, vat_ids } = chosen(needed)
  const all =
    (views !== null || !needed.views) &&
    (numbers !== null || !needed.numbers) &&
    (vat_ids !== null || !needed.vat_ids)
  return all ? { views, numbers, vat_ids } : null
}

/** Evaluates the needed modules. They are parts of the Worker, so nothing is read. */
export async function loadModules(needed: NeededModules): Promise<LateModules> {
  if (needed.views) evaluated.views ??= await import('./einvoice.ts')
  if (needed.numbers) evaluated.numbers ??= await import('./stored-numbers.ts')
  if (needed.vat_ids) evaluated.vat_ids ??= await import('../../parties/customers/customer-vat-id.ts')
  return chosen(needed)
}

function chosen({ views, numbers, vat_ids }: NeededModules): LateModules {
  return {
    views: views ? evaluated.views : null,
    numbers: numbers ? evaluated.numbers : null,
    vat_ids: vat_ids ? evaluated.vat_ids : null,
  }
}
