import type * as z from 'zod'
import compensations from '../../../data/vendor-compensation.json' with { type: 'json' }
import { monthOf, monthsAfter } from '../../platform/kit/calendar.ts'
import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import type { VendorCompensation } from '../forms/answers.ts'
import type { FilingCorrection, FilingSupply } from '../rows/figure-answers.ts'
import type { FilingPeriod } from '../rows/figures.ts'

type Compensation = z.output<typeof VendorCompensation>
type Declared = Pick<FilingSupply | FilingCorrection, 'jurisdiction_id' | 'tax_amount'>

/**
 * What each state lets a seller keep of the tax of a return that is filed and paid on time, in minor units.
 * A state whose rule is not on file is named, so that nobody takes silence for a state without one.
 */
export function compensationsOf(declared: readonly Declared[], period: FilingPeriod): Compensation[] {
  const due = new Map<string, number>()
  for (const { jurisdiction_id, tax_amount } of declared)
    due.set(jurisdiction_id, (due.get(jurisdiction_id) ?? 0) + tax_amount)
  return [...due].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, tax]) => compensationOf(id, tax, period))
}

function compensationOf(jurisdiction_id: string, tax: number, period: FilingPeriod): Compensation {
  const rule = compensations.find((each) => each.jurisdiction_id === jurisdiction_id)
  if (rule === undefined) return { jurisdiction_id, ...NOT_ON_FILE }
  const base = Math.min(Math.max(tax, 0), rule.base_max ?? Number.MAX_SAFE_INTEGER)
  const share = multiplyAndDivide(base, rule.rate_millionths, MILLION)
  const times = rule.max_per === 'month' ? monthsIn(period) : 1
  const amount = rule.amount_max === null ? share : Math.min(share, rule.amount_max * times)
  const { conditions, source, source_url, verified_at, confidence } = rule
  return {
    jurisdiction_id,
    status: 'computed',
    amount,
    conditions,
    source,
    source_url,
    verified_at,
    confidence,
  }
}

const NOT_ON_FILE = {
  status: 'not_on_file',
  amount: null,
  conditions: null,
  source: null,
  source_url: null,
  verified_at: null,
  confidence: null,
} as const

function monthsIn({ from, to }: FilingPeriod): number {
  let [months, month] = [1, monthOf(from)]
  for (; month < monthOf(to); month = monthsAfter(month, 1)) months += 1
  return months
}
