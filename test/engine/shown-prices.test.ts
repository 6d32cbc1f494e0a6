import { expect, it } from 'vitest'
import { shownPrice } from '../../src/engine/supply/shown-prices.ts'
import { book } from './sale.ts'

it.each([
  ['DE', 'inclusive'],
  ['GB', 'inclusive'],
  ['AU', 'inclusive'],
  ['NZ', 'inclusive'],
  ['US', 'exclusive'],
  ['PR', 'exclusive'],
  ['CA', 'exclusive'],
] as const)('consumers in %s see prices %s of tax', (country, behavior) => {
  expect(shownPrice(book, 'physical_goods', { customer: { country }, supply: null })).toBe(behavior)
})

it('a hotel shows its price as its place does, whoever books; goods as the place of the customer does', () => {
  const places = { customer: { country: 'DE' }, supply: { country: 'US', region: 'NY' } }
  expect(shownPrice(book, 'accommodation', places)).toBe('exclusive')
  expect(shownPrice(book, 'physical_goods', places)).toBe('inclusive')
  expect(shownPrice(book, 'accommodation', { ...places, supply: null })).toBe('inclusive')
})
