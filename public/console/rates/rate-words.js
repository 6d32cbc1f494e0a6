/**
 * @import { z } from 'zod'
 * @import { Rate } from '../../../src/tax-data/schemas.ts'
 */

/** @type {Readonly<Record<z.output<typeof Rate>['category'], string>>} */
const CATEGORIES = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  reduced_2: 'Second reduced rate',
  super_reduced: 'Super-reduced rate',
  parking: 'Parking rate',
  zero: 'Zero rate',
}

/**
 * The name of a rate for people: `TVA reduced_2` is Second reduced rate (TVA).
 * @param {Pick<z.output<typeof Rate>, 'name' | 'category'>} rate
 */
export function rateWords({ name, category }) {
  if (!name.endsWith(` ${category}`)) return name
  return `${CATEGORIES[category]} (${name.slice(0, -category.length - 1)})`
}
