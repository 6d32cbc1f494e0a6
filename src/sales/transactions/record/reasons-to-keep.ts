import type { AssessedLine, Assessment, TraceStep } from '../../../engine/found/assessment.ts'
import type { CalculatedTax, KeptReasons, KeptStep } from '../read/kept-reasons.ts'
import type { SaleToRecord } from './sale-to-record.ts'

/** The reasons of a sale to record. It has no lines if our data cannot assess it: its tax was given. */
export function reasonsToKeep({ assessment, given, sale }: SaleToRecord): KeptReasons {
  if (assessment === null) return notAssessed(sale.rounding)
  const assessed = assessedLines(assessment)
  return {
    ...sharedSteps(assessment.trace ?? [], assessed.length),
    rounding: sale.rounding,
    ...(given && { calculated: assessed.map(calculatedTax) }),
    ...placesOf(assessment),
  }
}

function notAssessed(rounding: KeptReasons['rounding']): KeptReasons {
  return { steps: [], sale: [], lines: [], rounding }
}

function assessedLines({ lines, shipping }: Assessment): readonly AssessedLine[] {
  return shipping === null ? lines : [...lines, shipping]
}

function calculatedTax({ tax_amount, taxable_amount, rate_millionths }: AssessedLine): CalculatedTax {
  return { tax_amount, taxable_amount, rate_millionths }
}

/** The last step of a line says its amounts, which the line has itself. */
function sharedSteps(
  trace: readonly TraceStep[],
  count: number,
): Pick<KeptReasons, 'steps' | 'sale' | 'lines'> {
  const steps: KeptStep[] = []
  // Texts of steps are the same objects on lines with equal terms, so comparing them is quick.
  const byRule = new Map<string, number[]>()
  const sale: number[] = []
  const lines: number[][] = Array.from({ length: count }, () => [])
  for (const { step, line, rule, outcome, basis } of trace) {
    if (step === 'tax') continue
    const known = byRule.get(rule) ?? []
    let index = known.find((each) => isStep(steps[each], { step, outcome, basis }))
    if (index === undefined) {
      index = steps.push([step, rule, outcome, basis]) - 1
      byRule.set(rule, [...known, index])
    }
    const own = line === null ? sale : lines[line]
    own?.push(index)
  }
  return { steps, sale, lines }
}

function isStep(
  kept: KeptStep | undefined,
  { step, outcome, basis }: Pick<TraceStep, 'step' | 'outcome' | 'basis'>,
): boolean {
  return kept !== undefined && kept[0] === step && kept[2] === outcome && kept[3] === basis
}

function placesOf({ local, tax_breakdown }: Assessment): Pick<KeptReasons, 'places'> {
  if (local === null) return {}
  const charged = new Set(tax_breakdown.map(({ jurisdiction_id }) => jurisdiction_id))
  const named = local.stack.parts.filter(({ id }) => charged.has(id))
  return named.length === 0 ? {} : { places: Object.fromEntries(named.map(({ id, name }) => [id, name])) }
}
