import { at, invariant } from '../ground/invariant.ts'
import { type ExactShare, shareByWeight, shareExact, shareInDoubles } from './allocation.ts'
import { MILLION, multiplyAndDivide, multiplyAndDivideBig, roundHalfAway } from './rounding.ts'

export const TAX_BEHAVIORS = ['exclusive', 'inclusive'] as const
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number]

export const ROUNDINGS = ['line', 'document'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/** One tax on a line. Taxes with the same `key` are one sum under document rounding. */
export type TaxComponent = {
  key: string
  rate_millionths: number
  /** The part of the base that is taxed; one million is all of it. */
  fraction_millionths: number
  /** Computed on the base plus the taxes before it. */
  compound: boolean
  /** Taxes of one stack are rounded together on their exact sum; null: the tax is rounded by itself. */
  stack: string | null
}

/** The taxed part of one line, without the tax-free part of its price. */
export type TaxableLine<Component extends TaxComponent = TaxComponent> = {
  /** Minor units: net of tax if exclusive, with it if inclusive. Negative for a credit. */
  base: number
  tax_behavior: TaxBehavior
  components: readonly Component[]
}

/**
 * A line's taxes, rounded by themselves: minor units, in the order of its components. Inclusive: the whole
 * tax is rounded first, then split between its components.
 */
export function taxOfLine(line: TaxableLine): number[] {
  const { base, components, tax_behavior } = line
  if (components.some(isUncommon)) return taxOfPlainStack(line) ?? taxOfUncommonLine(line)
  if (tax_behavior === 'exclusive')
    return components.map(({ rate_millionths }) => multiplyAndDivide(base, rate_millionths, MILLION))
  let rates = 0
  for (const component of components) rates += component.rate_millionths
  return shareByWeight(multiplyAndDivide(base, rates, MILLION + rates), components.map(rateOf))
}

function rateOf({ rate_millionths }: TaxComponent): number {
  return rate_millionths
}

function isUncommon({ compound, fraction_millionths, stack }: TaxComponent): boolean {
  return compound || fraction_millionths !== MILLION || stack !== null
}

/**
 * The taxes of one stack on a whole price without tax, the case of local taxes: in doubles, three times as
 * fast as exact fractions. Null: the line is another case, or its numbers are too large.
 */
function taxOfPlainStack({ base, tax_behavior, components }: TaxableLine): number[] | null {
  const first = at(components, 0).stack
  if (tax_behavior === 'inclusive' || first === null) return null
  let rates = 0
  for (const { stack, compound, fraction_millionths, rate_millionths } of components) {
    if (stack !== first || compound || fraction_millionths !== MILLION) return null
    rates += rate_millionths
  }
  const magnitude = Math.abs(base)
  if (magnitude * rates > Number.MAX_SAFE_INTEGER) return null
  const total = multiplyAndDivide(magnitude, rates, MILLION)
  const shares = shareInDoubles(total, magnitude, components.map(rateOf), MILLION)
  return base < 0 ? shares.map((share) => 0 - share) : shares
}

function taxOfUncommonLine(line: TaxableLine): number[] {
  if (line.tax_behavior === 'exclusive')
    return invariant(taxOfDocument([line]).get(line), 'the line is taxed')
  const shares = exactShares(line)
  const sum = shares.reduce((a, { dividend }) => a + dividend, 0n)
  return shareExact(multiplyAndDivideBig(sum, 1n, at(shares, 0).denominator), shares)
}

/**
 * The taxes of all lines of a document, each as in `taxOfLine`. The exact sum of each key is rounded once,
 * then split between its lines. `unit`: the minor units of the smallest tax, which is 1 but for taxes in
 * whole units of money.
 */
export function taxOfDocument(lines: readonly TaxableLine[], unit = 1): Map<TaxableLine, number[]> {
  const entries = lines.flatMap((line) => {
    const shares = exactShares(line)
    return line.components.map(({ key, stack }, index) => {
      return { line, sum: stack ?? key, share: inUnits(at(shares, index), unit), tax_amount: 0 }
    })
  })
  for (const group of Map.groupBy(entries, ({ sum }) => sum).values()) {
    const shares = group.map(({ share }) => share)
    const amounts = shareExact(roundedSum(shares), shares)
    group.forEach((entry, index) => (entry.tax_amount = at(amounts, index) * unit))
  }
  const taxes = Map.groupBy(entries, ({ line }) => line)
  return new Map(lines.map((line) => [line, (taxes.get(line) ?? []).map(({ tax_amount }) => tax_amount)]))
}

/**
 * The taxes of prices with tax that add up to 0, such as a sale and what takes it back: rounded as one
 * sum, so that no tax is left of nothing. Null: no lines do, or their own taxes add up to 0 already.
 */
export function taxOfCancelling(lines: readonly TaxableLine[], unit = 1): Map<TaxableLine, number[]> | null {
  const priced = lines.filter(({ tax_behavior }) => tax_behavior === 'inclusive')
  if (!priced.some(({ base }) => base < 0)) return null
  const groups = Map.groupBy(priced, ({ components }) => components.map(({ key }) => key).join(' '))
  const cancelling = [...groups.values()].filter(
    (group) => group.reduce((sum, { base }) => sum + base, 0) === 0 && isTaxLeftBy(group, unit),
  )
  // Each group by itself: another one with a tax in common has no part in its rounding.
  return cancelling.length === 0
    ? null
    : new Map(cancelling.flatMap((group) => [...taxOfDocument(group, unit)]))
}

/** Whether a tax of lines that are rounded by themselves, or a stack of taxes, does not add up to 0. */
function isTaxLeftBy(lines: readonly TaxableLine[], unit: number): boolean {
  const left = new Map<string, number>()
  for (const line of lines) {
    const taxes = unit === 1 ? taxOfLine(line) : taxOfDocument([line], unit).get(line)
    line.components.forEach(({ key, stack }, index) => {
      const sum = stack ?? key
      left.set(sum, (left.get(sum) ?? 0) + at(taxes ?? [], index))
    })
  }
  return [...left.values()].some((tax) => tax !== 0)
}

function inUnits(share: ExactShare, unit: number): ExactShare {
  return unit === 1 ? share : { ...share, denominator: share.denominator * BigInt(unit) }
}

/**
 * The exact tax of each component before rounding. A compound tax also falls on the taxes before it. Of a
 * price without tax, a reduced base is rounded first: the tax is that of the base that the line shows.
 */
function exactShares(line: TaxableLine): ExactShare[] {
  const million = BigInt(MILLION)
  if (line.tax_behavior === 'exclusive' && !line.components.some(({ compound }) => compound))
    return line.components.map((component) => {
      const taxable = multiplyAndDivide(line.base, component.fraction_millionths, MILLION)
      const dividend = BigInt(taxable) * BigInt(component.rate_millionths)
      return { dividend, denominator: million }
    })
  const base = BigInt(line.base)
  let scale = million
  // Rates on the full price, with one denominator, which each compound step multiplies by a million.
  let numerators: bigint[] = []
  for (const component of line.components) {
    const rate = BigInt(component.rate_millionths) * BigInt(component.fraction_millionths)
    if (!component.compound) {
      numerators.push((rate * scale) / million)
      continue
    }
    const before = numerators.reduce((a, b) => a + b, 0n)
    const full = BigInt(component.rate_millionths) * (BigInt(component.fraction_millionths) * scale + before)
    numerators = numerators.map((numerator) => numerator * million)
    scale *= million
    numerators.push(full)
  }
  const whole = scale * million
  const denominator =
    line.tax_behavior === 'inclusive' ? whole + numerators.reduce((a, b) => a + b, 0n) : whole
  return numerators.map((numerator) => ({ dividend: base * numerator, denominator }))
}

function roundedSum(shares: readonly ExactShare[]): number {
  const byDenominator = new Map<bigint, bigint>()
  for (const { dividend, denominator } of shares)
    byDenominator.set(denominator, (byDenominator.get(denominator) ?? 0n) + dividend)
  let dividend = 0n
  let denominator = 1n
  for (const [other, part] of byDenominator) {
    dividend = dividend * other + part * denominator
    denominator *= other
  }
  return Number(roundHalfAway(dividend, denominator))
}

/** A line of the rounding contract (docs/rounding.md): an amount and the rates on it, nothing else. */
export type PlainLine = {
  amount: number
  rates_millionths: readonly number[]
  tax_behavior: TaxBehavior
  /** The rates are those of a state and its local taxes at one place, rounded as one sum (SSUTA 324 B). */
  one_sum?: boolean
}

/**
 * The engine's arithmetic without any law: net and tax of each line, and the tax by each of its rates. Equal
 * rates are one sum under document rounding.
 */
export function taxDocument(
  lines: readonly PlainLine[],
  rounding: Rounding,
): { lines: { net: number; tax: number; components: number[] }[] } {
  const taxable = lines.map(taxableOf)
  const document = rounding === 'document' ? taxOfDocument(taxable) : taxOfCancelling(taxable)
  const taxed = taxable.map((line) => {
    const components = document?.get(line) ?? taxOfLine(line)
    const tax = components.reduce((a, b) => a + b, 0)
    return { net: line.tax_behavior === 'inclusive' ? line.base - tax : line.base, tax, components }
  })
  return { lines: taxed }
}

/** The second tax of the same rate on a line is a sum of its own. */
function taxableOf({ amount, rates_millionths, tax_behavior, one_sum = false }: PlainLine): TaxableLine {
  const earlier = (rate: number, index: number) => rates_millionths.slice(0, index).filter((r) => r === rate)
  const stack = one_sum ? rates_millionths.join('|') : null
  return {
    base: amount,
    tax_behavior,
    components: rates_millionths.map((rate, index) => ({
      key: `${rate} ${earlier(rate, index).length}`,
      rate_millionths: rate,
      fraction_millionths: MILLION,
      compound: false,
      stack,
    })),
  }
}
