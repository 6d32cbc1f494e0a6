import { at } from '../ground/invariant.ts'
import type { Charge, Terms } from '../found/found.ts'

/** Items in groups of those that are alike, in the order of their first ones. There are few groups. */
export function groupsOfAlike<T>(items: readonly T[], areAlike: (a: T, b: T) => boolean): T[][] {
  const groups: T[][] = []
  for (const item of items) {
    const group = groups.find((each) => areAlike(at(each, 0), item))
    if (group === undefined) groups.push([item])
    else group.push(item)
  }
  return groups
}

/** Whether the same taxes fall on both terms, for the same reason. */
export function bearSameTaxes(a: Terms, b: Terms): boolean {
  if (a === b) return true
  const decided = a.supplied.supply.place === b.supplied.supply.place && a.reason === b.reason
  return decided && areSame(a.charges, b.charges) && areSame(a.uncollected, b.uncollected)
}

function areSame(charges: readonly Charge[], others: readonly Charge[]): boolean {
  return charges.length === others.length && charges.every(({ key }, index) => key === others[index]?.key)
}
