import type { TraceStep } from '../../../engine/found/assessment.ts'

/** A step without its line: its name, rule, outcome and basis. */
export type KeptStep = [step: string, rule: string, outcome: string, basis: string | null]

/** What the service would have charged on a line whose tax was given. Minor units and millionths. */
export type CalculatedTax = { tax_amount: number; taxable_amount: number; rate_millionths: number }

/**
 * The decision that led to the tax of a sale, as JSON in the column `reasons`. It is written with the sale
 * and never changes. Lines share steps, so each is kept once. Place, rate and amounts are on the lines.
 */
export type KeptReasons = {
  steps: KeptStep[]
  /** The steps of the whole sale, as indexes of `steps`. */
  sale: number[]
  /** Those of each line that was assessed, by position. */
  lines: number[][]
  rounding: 'line' | 'document'
  /** By position. Left out: the tax was calculated. */
  calculated?: CalculatedTax[]
  /** Names of local places, which are in no rate book. */
  places?: Record<string, string>
}

/**
 * The reasons as they are stored. Left out, `shared`: the sale keeps all its steps. Else it has the ids of
 * further ones, which follow on `steps` and whose words are kept once for all sales.
 */
export type StoredReasons = KeptReasons & { shared?: string }

/** The kept steps of a line, or of the whole sale (`line` is null). */
export function stepsKept(kept: KeptReasons, line: number | null): TraceStep[] {
  const indexes = line === null ? kept.sale : (kept.lines[line] ?? [])
  return indexes.flatMap((index) => {
    const found = kept.steps[index]
    if (found === undefined) return []
    const [step, rule, outcome, basis] = found
    return [{ step, line, rule, outcome, basis }]
  })
}
