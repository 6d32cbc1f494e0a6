import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { monthOf, monthsAfter } from '../../platform/kit/calendar.ts'
import type { LateRule } from '../forms/late-rules.ts'
import { type FilingPeriod, type FilingRow, type Filled, type Measure, sumOf } from '../rows/figures.ts'

/** The late entries of a return: those that it declares, in its boxes or beside them, and the others. */
type LateEntries = {
  declared: FilingRow[]
  in_boxes: boolean
  /** Whether a row amends the return of its period, and is not on this one. */
  amends: (row: FilingRow) => boolean
}

type LateOf = {
  rule: LateRule
  period: FilingPeriod
  own: Filled
  tax: Measure
  /** Late entries that change no figure. They need no notice, so the return has them. */
  cancels: (row: FilingRow) => boolean
}

/**
 * The late entries among rows in the currency of the form, by the rule of its office. The limit is for their
 * sum: above it none is on the return. `own` is the return without them. `filed_with`: where a return has
 * them that is filed.
 */
export function lateOf(
  rows: readonly FilingRow[],
  { rule, period, own, tax, cancels }: LateOf,
  filed_with?: 'in_boxes' | 'beside',
): LateEntries {
  const late = rows.filter(isLate)
  const beside = { declared: late, in_boxes: false, amends: () => false }
  if (rule.where === 'lines' || filed_with === 'beside') return beside
  if (filed_with === 'in_boxes') return { ...beside, in_boxes: late.length > 0 }
  const old = tooOld(late, { rule, period, tax })
  const isRecent = (row: FilingRow) => !old.has(row.period.name)
  const boxed = rule.where === 'boxes' && isWithin(sumOf(late.filter(isRecent), tax), rule, own)
  const stays = (row: FilingRow) => cancels(row) || (boxed && isRecent(row))
  const declared = late.filter(stays)
  const in_boxes = rule.where === 'boxes' && declared.length > 0
  return { declared, in_boxes, amends: (row) => isLate(row) && !stays(row) }
}

function isLate({ corrects }: FilingRow): boolean {
  return corrects !== null
}

/** The periods that owe more tax, and ended too long ago. */
function tooOld(
  late: readonly FilingRow[],
  { rule, period, tax }: Pick<LateOf, 'rule' | 'period' | 'tax'>,
): Set<string> {
  const { months } = rule.limit ?? {}
  if (months === undefined) return new Set()
  const groups = Map.groupBy(late, (row) => row.period.name)
  const old = [...groups].filter(
    ([, rows]) =>
      rows.some((row) => monthsAfter(monthOf(row.period.to), months) < monthOf(period.to)) &&
      sumOf(rows, tax) > 0,
  )
  return new Set(old.map(([name]) => name))
}

function isWithin(net: number, { limit }: LateRule, own: Filled): boolean {
  const fixed = limit === undefined ? null : net < 0 ? limit.less : limit.more
  if (limit === undefined || fixed === null) return true
  return Math.abs(net) <= Math.max(fixed, shareOf(limit, own))
}

function shareOf({ share }: NonNullable<LateRule['limit']>, own: Filled): number {
  if (share === undefined) return 0
  const of =
    share.of === 'tax'
      ? (own.totals?.tax_amount ?? 0)
      : (own.boxes.find(({ box }) => `box ${box}` === share.of)?.amount ?? 0)
  return Math.min(multiplyAndDivide(Math.max(of, 0), share.millionths, MILLION), share.max)
}
