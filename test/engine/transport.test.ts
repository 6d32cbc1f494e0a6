import { expect, it } from 'vitest'
import { assessed } from './sale.ts'

const DE = { country: 'DE' }

it.each(['passenger_transport', 'ground_transport', 'air_transport'])(
  '%s is told to be taxed in one place, whatever border the journey crosses',
  (product_type) => {
    const { notes } = assessed({
      from: DE,
      to: DE,
      supply_address: DE,
      lines: [{ amount: 100, product_type }],
    })
    expect(notes.join()).toContain('A journey across a border is not split by distance')
  },
)

it('other supplies on the spot are not journeys', () => {
  const lines = [{ amount: 100, product_type: 'accommodation' }]
  expect(assessed({ from: DE, to: DE, supply_address: DE, lines }).notes.join()).not.toContain('journey')
})
