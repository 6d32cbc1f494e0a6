import { MILLION } from '../arithmetic/rounding.ts'
import { convertIndicatively, inForce, type RateBook } from '../book/rate-book.ts'
import type { LimitTest, Threshold } from '../book/facts.ts'
import type { Place, ThresholdLaw, ThresholdQuestion } from '../regimes/regime.ts'
import type { Turnover } from '../sale/sale.ts'

/** Sales into a jurisdiction in a threshold's measurement period. */
export type Sales = {
  amount: number
  currency: string
  transaction_count: number
  /** Currencies without an exchange rate. The amount does not contain the sales in them. */
  left_out?: readonly string[]
  /** The worldwide turnover of the seller in that period, as it says. Left out or null: unknown. */
  global_turnover?: Turnover | null
  /** Its recorded sales worldwide, in `currency`: the turnover is at least that. Left out: not added up. */
  recorded_turnover?: number
}

/** How close sales are to a threshold. `ratio_millionths` is one million at the threshold. */
export type Progress = Sales & {
  /** Null: the worldwide turnover decides, and it is unknown. */
  ratio_millionths: number | null
  exceeded: boolean
  approaching: boolean
  indicative: boolean
  /** The sales pass their tests, but the worldwide turnover, which counts too, is unknown. */
  undecided: boolean
}

/** Above this part of a threshold, in hundredths, a seller is warned. */
const APPROACHING_HUNDREDTHS = 85n

/** A limit of three months beside the scope's own: passing either one is enough. */
const OTHER_LIMIT = '_3_months'

/** Whether a threshold is the second limit of its scope, for the sales of three months. */
export function isOtherLimit({ scope }: Threshold): boolean {
  return scope.endsWith(OTHER_LIMIT)
}

/**
 * The records that answer a question about a threshold on a day: that of the law's first scope, and the other
 * limit of this scope if it has two.
 */
export function findThresholds(book: RateBook, law: ThresholdLaw, day: string): Threshold[] {
  for (const id of law.jurisdictions) {
    const candidates = (book.thresholds.get(id) ?? []).filter(
      (threshold) => law.types.includes(threshold.threshold_type) && inForce(threshold, day),
    )
    const ofScope = (scope: string) => candidates.find((candidate) => candidate.scope === scope)
    const found = law.scopes.map(ofScope).find((each) => each !== undefined) ?? candidates[0]
    if (found !== undefined) return [found, ofScope(found.scope + OTHER_LIMIT) ?? []].flat()
  }
  return []
}

/** A question about the thresholds of a place, for all of its taxes. */
type ThresholdAsker = Omit<ThresholdQuestion, 'layer'>

/** The thresholds that oblige a seller to register at a place, tax by tax, the closest place first. */
export function thresholdsAt(book: RateBook, asker: ThresholdAsker, day: string): Threshold[] {
  const found: Threshold[] = []
  for (const layer of asker.place.taxes.toReversed()) {
    const law = asker.place.law.thresholds(book, { ...asker, layer })
    for (const threshold of findThresholds(book, law, day))
      if (!found.includes(threshold)) found.push(threshold)
  }
  return found
}

/**
 * The one threshold for all cross-border sales of a seller to consumers in its union; null if it has none.
 */
export function distanceSalesThreshold(book: RateBook, seller: Place | null, day: string): Threshold | null {
  const state = seller?.vat_state ?? null
  if (state === null) return null
  return (
    (book.thresholds.get(state) ?? []).find(
      (threshold) => threshold.threshold_type === 'DISTANCE_SALES' && inForce(threshold, day),
    ) ?? null
  )
}

/**
 * Compares sales with a threshold, at an indicative exchange rate if the currencies differ; null if no rate
 * is known.
 */
export function compareSales(book: RateBook, threshold: Threshold, sales: Sales): Progress | null {
  const { currency } = threshold
  const turnover = turnoverIn(book, currency, sales.global_turnover ?? null)
  if (sales.currency === currency) return measureProgress(threshold, sales, turnover)
  const amount = convertIndicatively(book, sales.amount, sales.currency, currency)
  return amount === null
    ? null
    : { ...measureProgress(threshold, { ...sales, amount }, turnover), ...sales, indicative: true }
}

/** The worldwide turnover in a currency; null: unknown, or there is no exchange rate. */
export function turnoverIn(book: RateBook, currency: string, given: Turnover | null): number | null {
  if (given === null || given.currency === currency) return given?.amount ?? null
  return convertIndicatively(book, given.amount, given.currency, currency)
}

/**
 * Measures sales in the threshold's own currency by its own tests: `exceeds` or `reaches`, amount or count,
 * both or either. `turnover` is the worldwide one, in the same currency; null: unknown.
 */
export function measureProgress(
  threshold: Threshold,
  sales: Sales,
  turnover: number | null = null,
): Progress {
  const local = measureLocal(threshold, sales)
  const limit = threshold.worldwide_amount ?? null
  const progress = { ...sales, indicative: false, undecided: false }
  if (limit === null)
    return {
      ...progress,
      ratio_millionths: local.ratio,
      exceeded: local.passed,
      approaching: !local.passed && local.near,
    }
  // Recorded sales are a part of the turnover, so they alone may pass this test.
  const least = Math.max(turnover ?? 0, sales.recorded_turnover ?? 0, sales.amount)
  const worldwide = measureTest(least, limit, threshold.amount_test)
  if (turnover === null && !worldwide.passed) {
    const ratio_millionths = local.passed ? null : local.ratio
    return { ...progress, ratio_millionths, exceeded: false, approaching: false, undecided: local.passed }
  }
  const exceeded = local.passed && worldwide.passed
  const ratio_millionths = Math.min(local.ratio, worldwide.ratio)
  return { ...progress, ratio_millionths, exceeded, approaching: !exceeded && local.near && worldwide.near }
}

type Measurement = { passed: boolean; near: boolean; ratio: number }

/** The tests of the sales into the place. */
function measureLocal(threshold: Threshold, sales: Sales): Measurement {
  const tests: Measurement[] = []
  if (threshold.amount !== null)
    tests.push(measureTest(sales.amount, threshold.amount, threshold.amount_test))
  if (threshold.transaction_count !== null)
    tests.push(measureTest(sales.transaction_count, threshold.transaction_count, threshold.count_test))
  const both = threshold.combinator === 'and'
  const isMet = (condition: (test: Measurement) => boolean): boolean =>
    tests.length > 0 && (both ? tests.every(condition) : tests.some(condition))
  const ratios = tests.map((test) => test.ratio)
  const ratio = ratios.length === 0 ? 0 : both ? Math.min(...ratios) : Math.max(...ratios)
  return { passed: isMet((test) => test.passed), near: isMet((test) => test.near), ratio }
}

function measureTest(value: number, limit: number, test: LimitTest): Measurement {
  // No sale passes no limit: the first one passes that of 0.
  const passed = test === 'exceeds' || limit === 0 ? value > limit : value >= limit
  const ratio = limit === 0 ? (passed ? MILLION : 0) : Math.max(0, Math.floor((value / limit) * MILLION))
  // The ratio is cut off at millionths, so it cannot decide this.
  return { passed, near: BigInt(value) * 100n > BigInt(limit) * APPROACHING_HUNDREDTHS, ratio }
}

/**
 * Whether a seller passes a threshold with its first sale into the place, because of its worldwide turnover;
 * null: that turnover decides, and it is unknown. False for other thresholds.
 */
export function passesByTurnover(
  book: RateBook,
  { amount, currency, worldwide_amount, amount_test }: Threshold,
  given: Turnover | null,
): boolean | null {
  const limit = worldwide_amount ?? null
  if (amount !== 0 || limit === null) return false
  const turnover = turnoverIn(book, currency, given)
  return turnover === null ? null : measureTest(turnover, limit, amount_test).passed
}
