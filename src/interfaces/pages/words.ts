import type { Rate, RateCategory } from '../../engine/book/facts.ts'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import type { RateChange } from './rate-changes.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY_MS = 86_400_000

/** A day as people write it, the same in every engine: `23 Sep 2026` for `2026-09-23`, also of a moment. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-').map(Number)
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`
}

/** How long ago a day was: `today`, `12 days ago`, `4 months ago`, `20 years ago`. */
export function agoInWords(day: string, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(day)) / DAY_MS))
  if (days === 0) return 'today'
  if (days < 60) return days === 1 ? 'yesterday' : `${days} days ago`
  if (days < 730) return `${Math.round(days / 30.44)} months ago`
  return `${Math.floor(days / 365.25)} years ago`
}

/** A rate as a fraction: 0.08875 is `8.875 %`. */
export function percentOf(rate: number): string {
  return percentInWords(Math.round(rate * 1_000_000))
}

const CATEGORY_WORDS: Readonly<Record<RateCategory, string>> = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  reduced_2: 'Second reduced rate',
  super_reduced: 'Super-reduced rate',
  parking: 'Parking rate',
  zero: 'Zero rate',
}

/**
 * The name of a rate for people. The data names most rates by the local name of the tax and the category:
 * `TVA reduced_2` becomes `Second reduced rate (TVA)`. Other names are words already.
 */
export function rateWords({ name, category }: Pick<Rate, 'name' | 'category'>): string {
  if (!name.endsWith(` ${category}`)) return name
  return `${CATEGORY_WORDS[category]} (${name.slice(0, -category.length - 1)})`
}

/** `Estonia: Standard rate (Käibemaks) 24 % instead of 22 %`. */
export function changeWords({ place, before, after }: RateChange): string {
  const [now, earlier] = [after, before].map(({ rate_millionths }) => percentInWords(rate_millionths))
  return `${place}: ${rateWords(after)} ${now} instead of ${earlier}`
}
