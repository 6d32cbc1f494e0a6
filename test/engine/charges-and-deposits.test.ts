import { describe, expect, it } from 'vitest'
import { assessed, named } from './sale.ts'

const at = (country: string, region?: string) => ({ country, ...(region !== undefined && { region }) })
const line = (place: { country: string; region?: string }, product_type: string) =>
  assessed({ from: place, to: place, supply_address: place, lines: [{ amount: 10_000, product_type }] })
    .lines[0]

describe('a service charge that guests have to pay', () => {
  it.each([
    ['FR', 1_000],
    ['DE', 700],
    ['IT', 1_000],
    ['GB', 2_000],
  ])('is taxed as the meal in %s, and the answer says so', (country, tax_amount) => {
    const found = line(at(country), 'service_charge')
    expect(found).toMatchObject({ tax_amount, rule: 'default' })
    expect(line(at(country), 'prepared_food')?.tax_amount).toBe(tax_amount)
    expect(found?.notes.join()).toContain(`No rule in the data for service charge in ${named(country)}`)
  })

  it.each(['TX', 'NY', 'FL'])(
    'is free in US-%s only if it goes to the staff, which the note tells',
    (region) => {
      const found = line(at('US', region), 'service_charge')
      expect(found?.rule).toBe('uncertain')
      expect(found?.tax_amount).toBeGreaterThan(0)
      expect(found?.notes.join()).toContain('all of it goes to the staff')
    },
  )

  it('of a meal that is delivered is taxed at the customer, like the meal', () => {
    const lines = [
      { amount: 10_000, product_type: 'prepared_food' },
      { amount: 1_000, product_type: 'service_charge' },
    ]
    const words = { from: at('US', 'NJ'), to: at('US', 'NY'), registrations: ['US-NJ', 'US-NY'] }
    const found = assessed({ ...words, shipping: { amount: 500 }, lines })
    expect(found.lines.map(({ jurisdiction_id }) => jurisdiction_id)).toEqual(['US-NY', 'US-NY'])
  })
})

describe('a deposit on bottles', () => {
  it.each([
    ['CA', 'ON'],
    ['CA', 'AB'],
    ['US', 'NY'],
  ])('is no part of the price in %s-%s', (country, region) => {
    expect(line(at(country, region), 'bottle_deposit')?.taxability_reason).toBe('product_exempt')
  })

  it('bears the provincial tax of British Columbia, whose rule is not in the data', () => {
    const found = line(at('CA', 'BC'), 'bottle_deposit')
    expect(found?.tax_breakdown.map(({ tax_type }) => tax_type)).toEqual(['PST'])
    expect(found?.rule).toBe('default')
  })

  it.each([
    [at('DE'), 1_900],
    [at('US', 'CA'), 725],
  ])('is a part of the price in %j', (place, tax_amount) => {
    const found = line(place, 'bottle_deposit')
    expect(found?.tax_amount).toBe(tax_amount)
    expect(found?.rule).not.toBe('default')
  })

  it('is taxed as goods where no rule is in the data, and the answer says so', () => {
    const found = line(at('US', 'AZ'), 'bottle_deposit')
    expect(found).toMatchObject({ rule: 'default', taxability_reason: null })
    expect(found?.notes.join()).toContain('No rule in the data for bottle deposit')
  })
})
