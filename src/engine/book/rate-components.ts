import { shareByWeight } from '../arithmetic/allocation.ts'
import { MILLION } from '../arithmetic/rounding.ts'

/** One of the taxes that a rate is made of, and its own rate as a fraction of the price. */
export type RateComponent = { name: string; rate: number }

/** It with its part of a tax, minor units. */
export type ChargedComponent = RateComponent & { tax_amount: number }

/** The taxes that a rate is made of, as its record has them. */
export function componentsOfRate(made_of: string): RateComponent[] {
  return JSON.parse(made_of) as RateComponent[]
}

/** What each tax of a rate has of a tax at that rate. They add up to it. */
export function componentsOfTax(
  components: readonly RateComponent[],
  tax_amount: number,
): ChargedComponent[] {
  const amounts = shareByWeight(
    tax_amount,
    components.map(({ rate }) => Math.round(rate * MILLION)),
  )
  return components.map((each, index) => ({ ...each, tax_amount: amounts[index] ?? 0 }))
}

/** The same components with the amounts of both. */
export function addComponents(
  components: readonly ChargedComponent[],
  added: readonly ChargedComponent[],
): ChargedComponent[] {
  const sumOf = (amount: number, index: number) => amount + (added[index]?.tax_amount ?? 0)
  return components.map((each, index) => ({ ...each, tax_amount: sumOf(each.tax_amount, index) }))
}
