import { type ExactShare, shareByWeight, shareExact } from './allocation.ts'
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
}

/** What is taxed of one line. The tax-free part of the price is left out already. */
export type TaxableLine = {
  /** Minor units: net of tax when exclusive, including it when inclusive. Negative for a credit. */
  base: number
  tax_behavior: TaxBehavior
  components: readonly TaxComponent[]
}

/**
 * Tax of each component of each line, minor units. `line`: each on its own; `document`: each sum once, shared
 * out over its lines.
 */
export function taxLines(lines: readonly TaxableLine[], rounding: Rounding): number[][] {
  return rounding === 'line' ? lines.map(taxOfLine) : taxOfDocument(lines)
}

/**
 * A line's taxes, rounded by themselves. Inclusive: the whole tax is rounded first, then shared out over its
 * components.
 */
export function taxOfLine(line: TaxableLine): number[] {
  const { base, components, tax_behavior } = line
  if (components.some((component) => component.compound || component.fraction_millionths !== MILLION))
    return taxOfUncommonLine(line)
  if (tax_behavior === 'exclusive')
    return components.map((component) => multiplyAndDivide(base, component.rate_millionths, MILLION))
  let rates = 0
  for (const component of components) rates += component.rate_millionths
  const total = multiplyAndDivide(base, rates, MILLION + rates)
  return components.length === 1
    ? [total]
    : shareByWeight(
        total,
        components.map((component) => component.rate_millionths),
      )
}

function taxOfUncommonLine(line: TaxableLine): number[] {
  const shares = exactShares(line)
  if (line.tax_behavior === 'exclusive')
    return shares.map((share) => Number(roundHalfAway(share.dividend, share.denominator)))
  const sum = shares.reduce((a, share) => a + share.dividend, 0n)
  return shareExact(multiplyAndDivideBig(sum, 1n, shares[0]?.denominator ?? 1n), shares)
}

function taxOfDocument(lines: readonly TaxableLine[]): number[][] {
  const taxes = lines.map((line) => line.components.map(() => 0))
  const groups = new Map<string, { line: number; component: number; share: ExactShare }[]>()
  lines.forEach((line, lineIndex) => {
    exactShares(line).forEach((share, componentIndex) => {
      const key = line.components[componentIndex]?.key ?? ''
      const entry = { line: lineIndex, component: componentIndex, share }
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [entry])
      else group.push(entry)
    })
  })
  for (const group of groups.values()) {
    const shares = group.map((entry) => entry.share)
    const parts = shareExact(roundedSum(shares), shares)
    group.forEach((entry, index) => {
      const lineTaxes = taxes[entry.line]
      if (lineTaxes !== undefined) lineTaxes[entry.component] = parts[index] ?? 0
    })
  }
  return taxes
}

/** The exact tax of each component before rounding. A compound tax also falls on the taxes before it. */
function exactShares(line: TaxableLine): ExactShare[] {
  const million = BigInt(MILLION)
  const base = BigInt(line.base)
  let scale = million
  // Rates on the full price, all over one denominator, which grows by a million with each compound step.
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

/**
 * A line as the rounding contract speaks of it (docs/rounding.md): an amount and the rates on it, nothing
 * else.
 */
export type PlainLine = { amount: number; rates_millionths: readonly number[]; tax_behavior: TaxBehavior }

/**
 * The engine's arithmetic alone, without any law: net and tax of each line. Equal rates are one sum under
 * document rounding.
 */
export function taxDocument(
  lines: readonly PlainLine[],
  rounding: Rounding,
): { lines: { net: number; tax: number; components: number[] }[] } {
  const taxes = taxLines(
    lines.map((line) => ({
      base: line.amount,
      tax_behavior: line.tax_behavior,
      components: line.rates_millionths.map((rate, index) => ({
        key: `${rate} ${line.rates_millionths.slice(0, index).filter((earlier) => earlier === rate).length}`,
        rate_millionths: rate,
        fraction_millionths: MILLION,
        compound: false,
      })),
    })),
    rounding,
  )
  return {
    lines: lines.map((line, index) => {
      const components = taxes[index] ?? []
      const tax = components.reduce((a, b) => a + b, 0)
      return { net: line.tax_behavior === 'inclusive' ? line.amount - tax : line.amount, tax, components }
    }),
  }
}
