import { at } from '../ground/invariant.ts'
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

/** The tax of one component of a line, minor units. */
export type Tax<Component extends TaxComponent = TaxComponent> = { component: Component; tax_amount: number }

/**
 * A line's taxes, rounded by themselves. Inclusive: the whole tax is rounded first, then split between its
 * components.
 */
export function taxOfLine<C extends TaxComponent>(line: TaxableLine<C>): Tax<C>[] {
  const { base, components, tax_behavior } = line
  if (components.some(isUncommon)) return taxOfPlainStack(line) ?? taxOfUncommonLine(line)
  if (tax_behavior === 'exclusive')
    return components.map((component) => ({
      component,
      tax_amount: multiplyAndDivide(base, component.rate_millionths, MILLION),
    }))
  let rates = 0
  for (const component of components) rates += component.rate_millionths
  const total = multiplyAndDivide(base, rates, MILLION + rates)
  if (components.length === 1) return [{ component: at(components, 0), tax_amount: total }]
  return withAmounts(components, shareByWeight(total, components.map(rateOf)))
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
function taxOfPlainStack<C extends TaxComponent>({
  base,
  tax_behavior,
  components,
}: TaxableLine<C>): Tax<C>[] | null {
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
  return withAmounts(components, base < 0 ? shares.map((share) => 0 - share) : shares)
}

function taxOfUncommonLine<C extends TaxComponent>(line: TaxableLine<C>): Tax<C>[] {
  const shares = exactShares(line)
  if (line.tax_behavior === 'exclusive') return taxOfStacks(shares)
  const sum = shares.reduce((a, { share }) => a + share.dividend, 0n)
  const { denominator } = at(shares, 0).share
  const exact = shares.map(({ share }) => share)
  return withAmounts(line.components, shareExact(multiplyAndDivideBig(sum, 1n, denominator), exact))
}

/** Rounds the exact sum of each stack once and shares it out, and each other tax by itself. */
function taxOfStacks<C extends TaxComponent>(shares: readonly ComponentShare<C>[]): Tax<C>[] {
  const taxes = shares.map(({ component, share }) => ({ component, share, tax_amount: 0 }))
  for (const group of Map.groupBy(taxes, ({ component }) => component.stack ?? component.key).values()) {
    const exact = group.map(({ share }) => share)
    const amounts = shareExact(roundedSum(exact), exact)
    group.forEach((each, index) => (each.tax_amount = at(amounts, index)))
  }
  return taxes.map(({ component, tax_amount }) => ({ component, tax_amount }))
}

function withAmounts<C extends TaxComponent>(components: readonly C[], amounts: readonly number[]): Tax<C>[] {
  return components.map((component, index) => ({ component, tax_amount: at(amounts, index) }))
}

/**
 * The taxes of all lines of a document. The exact sum of each key is rounded once, then split between its
 * lines. `unit`: the minor units of the smallest tax, which is 1 but for taxes in whole units of money.
 */
export function taxOfDocument<C extends TaxComponent>(
  lines: readonly TaxableLine<C>[],
  unit = 1,
): Map<TaxableLine<C>, Tax<C>[]> {
  const entries = lines.flatMap((line) =>
    exactShares(line).map(({ component, share }) => ({
      line,
      share: inUnits(share, unit),
      tax: { component, tax_amount: 0 },
    })),
  )
  for (const group of Map.groupBy(entries, ({ tax }) => tax.component.stack ?? tax.component.key).values()) {
    const shares = group.map(({ share }) => share)
    const amounts = shareExact(roundedSum(shares), shares)
    group.forEach(({ tax }, index) => (tax.tax_amount = at(amounts, index) * unit))
  }
  const taxes = Map.groupBy(entries, ({ line }) => line)
  return new Map(lines.map((line) => [line, (taxes.get(line) ?? []).map(({ tax }) => tax)]))
}

/**
 * The taxes of prices with tax that add up to 0, such as a sale and what takes it back: rounded as one sum, so
 * that no tax is left of nothing. Null: no lines do, or their own taxes add up to 0 already.
 */
export function taxOfCancelling<C extends TaxComponent>(
  lines: readonly TaxableLine<C>[],
  unit = 1,
): Map<TaxableLine<C>, Tax<C>[]> | null {
  const priced = lines.filter(({ tax_behavior }) => tax_behavior === 'inclusive')
  if (!priced.some(({ base }) => base < 0)) return null
  const groups = Map.groupBy(priced, ({ components }) => components.map(({ key }) => key).join(' '))
  const cancelling = [...groups.values()].filter(
    (group) => group.reduce((sum, { base }) => sum + base, 0) === 0 && taxLeftBy(group) !== 0,
  )
  return cancelling.length === 0 ? null : taxOfDocument(cancelling.flat(), unit)
}

function taxLeftBy<C extends TaxComponent>(lines: readonly TaxableLine<C>[]): number {
  return lines.flatMap(taxOfLine).reduce((sum, { tax_amount }) => sum + tax_amount, 0)
}

function inUnits(share: ExactShare, unit: number): ExactShare {
  return unit === 1 ? share : { ...share, denominator: share.denominator * BigInt(unit) }
}

type ComponentShare<C extends TaxComponent> = { component: C; share: ExactShare }

/**
 * The exact tax of each component before rounding. A compound tax also falls on the taxes before it. Of a
 * price without tax, a reduced base is rounded first: the tax is that of the base that the line shows.
 */
function exactShares<C extends TaxComponent>(line: TaxableLine<C>): ComponentShare<C>[] {
  const million = BigInt(MILLION)
  if (line.tax_behavior === 'exclusive' && !line.components.some(({ compound }) => compound))
    return line.components.map((component) => {
      const taxable = multiplyAndDivide(line.base, component.fraction_millionths, MILLION)
      const dividend = BigInt(taxable) * BigInt(component.rate_millionths)
      return { component, share: { dividend, denominator: million } }
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
  return line.components.map((component, index) => ({
    component,
    share: { dividend: base * at(numerators, index), denominator },
  }))
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
    const taxes = document?.get(line) ?? taxOfLine(line)
    const components = taxes.map(({ tax_amount }) => tax_amount)
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
