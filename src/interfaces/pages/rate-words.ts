import type { Rate, RateCategory } from '../../engine/book/facts.ts'
import { percentInWords } from '../../engine/words/figures-in-words.ts'
import type { RateChange } from './rate-changes.ts'

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
