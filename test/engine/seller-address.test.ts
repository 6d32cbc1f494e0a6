import { describe, expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import type { Address } from '../../src/engine/sale/sale.ts'
import { book, saleOf } from './sale.ts'

const local = openLocalBook(readLocalData('test'))

const place = (region: string, postal_code: string, city: string | null) => ({
  country: 'US',
  region,
  postal_code,
  city,
})

const sold = (from: Address, to: Address) =>
  assessSale(
    saleOf({
      from,
      to,
      registrations: [`US-${from.region}`],
      currency: 'USD',
      lines: [{ amount: 100_000 }],
    }),
    book,
    local,
  )

describe('a seller in a state that taxes it at its own place', () => {
  it.each([
    ['MO', '63101', 'St. Louis', 9_679],
    ['AZ', '85251', 'Scottsdale', 8_000],
    ['IL', '60614', 'Chicago', 10_500],
    ['UT', '84101', 'Salt Lake City', 8_450],
    ['MS', '39201', 'Jackson', 8_000],
    ['TX', '78701', 'Austin', 8_250],
    ['TN', '37201', 'Nashville', 9_750],
    ['OH', '43215', 'Columbus', 8_000],
    ['PA', '19103', 'Philadelphia', 8_000],
    ['VA', '23219', 'Richmond', 6_000],
    ['NM', '87101', 'Albuquerque', 7_625],
    ['CA', '94105', 'San Francisco', 8_625],
  ])('charges the tax of its city: %s %s %s', (state, zip, city, tax) => {
    const at = place(state, zip, city)
    const { tax_amount, coverage, notes } = sold(at, at)
    expect([tax_amount, coverage]).toEqual([tax, 'local'])
    expect(notes.join()).not.toContain('Give the city')
  })

  it('is asked for its own city, not for that of the customer', () => {
    const customer = place('MO', '65101', 'Jefferson City')
    const { notes } = sold(place('MO', '63101', null), customer)
    expect(notes.join()).toContain('Give the city of the seller')
    expect(sold(place('MO', '63101', 'St. Louis'), customer).tax_amount).toBe(9_679)
  })

  it('asks for the city of the customer where that decides', () => {
    const { notes } = sold(place('OK', '73102', 'Oklahoma City'), place('OK', '73012', null))
    expect(notes.join()).toContain('Give the city of the customer')
  })

  it('asks for the city of the stock that the goods leave', () => {
    const at = place('MO', '63101', 'St. Louis')
    const sale = saleOf({ from: at, to: at, registrations: ['US-MO'], lines: [{ amount: 100_000 }] })
    const { notes } = assessSale({ ...sale, ship_from: place('MO', '63101', null) }, book, local)
    expect(notes.join()).toContain('Give the city of ship_from')
  })
})
