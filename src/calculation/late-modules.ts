/**
 * Modules that few calculations need, so a start of a checkout does not evaluate them. Null: not needed.
 * `views`: the view of the invoice; `numbers`: the stored numbers under which a tax is charged.
 */
export type LateModules = {
  views: typeof import('./einvoice.ts') | null
  numbers: typeof import('./stored-numbers.ts') | null
}

/** Which of them a calculation needs. */
export type NeededModules = { views: boolean; numbers: boolean }

const evaluated: LateModules = { views: null, numbers: null }
const NONE: LateModules = { views: null, numbers: null }

/** The needed modules, if this isolate has evaluated them; else null. */
export function heldModules({ views, numbers }: NeededModules): LateModules | null {
  if (!views && !numbers) return NONE
  if ((views && evaluated.views === null) || (numbers && evaluated.numbers === null)) return null
  return { views: views ? evaluated.views : null, numbers: numbers ? evaluated.numbers : null }
}

/** Evaluates the needed modules. They are parts of the Worker, so nothing is read. */
export async function loadModules({ views, numbers }: NeededModules): Promise<LateModules> {
  if (views) evaluated.views ??= await import('./einvoice.ts')
  if (numbers) evaluated.numbers ??= await import('./stored-numbers.ts')
  return { views: views ? evaluated.views : null, numbers: numbers ? evaluated.numbers : null }
}
