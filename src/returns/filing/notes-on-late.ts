import { moneyInWords } from '../../engine/book/money-in-words.ts'
import type { ComputedReturn } from './compute-return.ts'

/** What a reader of the boxes has to know of late entries of filed periods. */
export function notesOnLate({
  filled,
  corrections,
  amendments,
  late_rule,
}: Pick<ComputedReturn, 'filled' | 'corrections' | 'amendments' | 'late_rule'>): string[] {
  const { where, notice, source } = late_rule
  const boxed = where === 'boxes' && filled.boxes.length > 0 && corrections.length > 0
  return [
    ...(boxed ? [`The boxes contain the corrections of filed periods, within the limit of ${source}`] : []),
    ...amendments.map(
      ({ period, tax_amount, currency }) =>
        `Late entries of ${period} (tax ${moneyInWords(tax_amount, currency)}) are not on this return. ` +
        `The tax office gets them with ${notice}. Source: ${source}`,
    ),
  ]
}
