/**
 * The books of a year, kept by hand beside the service. Nothing here comes from its code: the rates, the
 * rounding and the forms are written down a second time, from the law. Amounts in minor units.
 */

/** What a catalogue sells: to whom, and how the law of 2025 treats it there. */
export type Product = {
  product_type: string
  to: { country: string; region?: string }
  customer?: object
  /** The country of the stock that goods leave; left out: the seller's own. */
  stock?: string
  /** Where the sale is taxed. */
  place: string
  kind: 'goods' | 'services'
  /** The taxes in millionths, each rounded by itself. The second one is provincial. */
  rates: readonly number[]
  /** Why there is no tax. */
  free?: 'zero' | 'exempt' | 'export' | 'reverse' | 'resale' | 'holiday'
  /** What another rate or a holiday makes of it, within days; `below`: for a price below this alone. */
  changes?: readonly Change[]
  /** What it is on other days. */
  usual?: Product
}

type Change = { from: string; to: string; below?: number } & Pick<Product, 'rates' | 'free'>

/** The product as the law treats it on a day at a price. */
export function productOn({ usual, ...product }: Product, day: string, price: number): Product {
  const sold = usual ?? product
  const change = sold.changes?.find(
    ({ from, to, below = Infinity }) => from <= day && day <= to && price < below,
  )
  if (change === undefined) return sold
  const { rates, free = sold.free } = change
  return { ...sold, usual: sold, rates, ...(free !== undefined && { free }) }
}

/** A sold line, or, with negative amounts, what a refund gave back of it. */
export type Entry = {
  product: Product
  /** The days in the time zone of the account. */
  day: string
  sold: string
  net: number
  tax: number
  provincial: number
  /** Recorded after the return of its period was filed. */
  late: boolean
  /** What a refund gave back. */
  back: boolean
  /** Of the amounts. */
  currency: string
}

const MILLION = 1_000_000n

/** Half away from zero. */
export function roundedQuotient(numerator: bigint, denominator: bigint): number {
  const sign = numerator < 0n ? -1n : 1n
  return Number((sign * (2n * sign * numerator + denominator)) / (2n * denominator)) || 0
}

/** The net amount and the taxes of a price. A price with tax bears one tax. */
export function taxesOf(price: number, rates: readonly number[], inclusive: boolean) {
  if (inclusive) {
    const [rate = 0] = rates
    const tax = roundedQuotient(BigInt(price) * BigInt(rate), MILLION + BigInt(rate))
    return { net: price - tax, taxes: [tax] }
  }
  return { net: price, taxes: rates.map((rate) => roundedQuotient(BigInt(price) * BigInt(rate), MILLION)) }
}

/** The tax within a part of a line that is given back, by the share of its price with tax. */
export function taxWithin(part: number, whole: { gross: number; tax: number }): number {
  return roundedQuotient(BigInt(part) * BigInt(whole.tax), BigInt(whole.gross))
}

/** The taxes within a part of a line that a credit note takes back, by the share of its price without tax. */
export function taxesWithin(part: number, { net, taxes }: { net: number; taxes: readonly number[] }) {
  const whole = taxes.reduce((sum, each) => sum + each, 0)
  const tax = roundedQuotient(BigInt(part) * BigInt(whole), BigInt(net))
  const provincial = whole === 0 ? 0 : roundedQuotient(BigInt(tax) * BigInt(taxes[1] ?? 0), BigInt(whole))
  return [tax - provincial, provincial]
}

/** The day of a moment in a time zone, as people there write it. */
export function dayIn(zone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  return parts.format(moment)
}

export type Period = { name: string; from: string; to: string }

const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const two = (number: number) => String(number).padStart(2, '0')
const span = (name: string, first: number, last: number): Period => ({
  name,
  from: `2025-${two(first)}-01`,
  to: `2025-${two(last)}-${LAST_DAYS[last - 1]}`,
})

export const MONTHS = Array.from({ length: 12 }, (_, index) =>
  span(`2025-${two(index + 1)}`, index + 1, index + 1),
)
export const QUARTERS = [1, 2, 3, 4].map((quarter) => span(`2025-Q${quarter}`, 3 * quarter - 2, 3 * quarter))

export const within = (day: string, { from, to }: Period) => from <= day && day <= to
export const sum = (entries: readonly Entry[], of: (entry: Entry) => number) =>
  entries.reduce((total, entry) => total + of(entry), 0)
export const net = (entries: readonly Entry[]) => sum(entries, (entry) => entry.net)
export const tax = (entries: readonly Entry[]) => sum(entries, (entry) => entry.tax)

/** Adds up by a key, in the order of the keys. */
export function addUp<Sums extends Record<string, number>>(
  entries: readonly Entry[],
  key: (entry: Entry) => string,
  of: (entry: Entry) => Sums,
): [string, Sums][] {
  const found = new Map<string, Sums>()
  for (const entry of entries) {
    const before = found.get(key(entry))
    const now = of(entry)
    if (before === undefined) found.set(key(entry), now)
    else
      for (const name of Object.keys(now) as (keyof Sums)[])
        before[name] = (Number(before[name]) + Number(now[name])) as Sums[keyof Sums]
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
