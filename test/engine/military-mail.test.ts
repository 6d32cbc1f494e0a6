import { describe, expect, it } from 'vitest'
import { findPlace } from '../../src/engine/supply/place.ts'
import { assessed, book } from './sale.ts'

const US = { country: 'US' }
const placeOf = (region: string | null, postal_code: string | null) =>
  findPlace(book, { ...US, region, postal_code }, 'customer.address').jurisdiction_id

describe('mail to the armed forces and to diplomatic posts', () => {
  it.each([
    ['AE', '09012', 'US-AE'],
    ['ae', '09012-1234', 'US-AE'],
    ['US-AP', '96350', 'US-AP'],
    ['Armed Forces Americas', '34001', 'US-AA'],
    ['AE', null, 'US-AE'],
    [null, '34001', 'US-AA'],
    [null, '09898', 'US-AE'],
    [null, '96201', 'US-AP'],
  ])('with the region %s and the ZIP %s is at %s', (region, zip, place) => {
    expect(placeOf(region, zip)).toBe(place)
  })

  it.each([
    ['NY', '09012'],
    ['AE', '10001'],
    ['AE', '96350'],
  ])('with the region %s does not have the ZIP %s', (region, zip) => {
    expect(() => placeOf(region, zip)).toThrow(`postal code "${zip}" does not belong to "${region}"`)
  })

  it('has no other ZIPs, and needs one in the form of a ZIP', () => {
    expect(placeOf(null, '10001')).toBe('US-NY')
    expect(placeOf(null, '34102')).toBe('US-FL')
    expect(placeOf(null, '96701')).toBe('US-HI')
    expect(() => placeOf('AE', '0901')).toThrow('"0901" is not a postal code of the United States')
  })

  it.each([
    { from: { ...US, region: 'NY', postal_code: '10001' }, registrations: ['US-NY', 'US-CA'] },
    { from: { ...US, region: 'AP' }, registrations: null },
    { from: null, registrations: null },
  ])('is taxed by no state, whoever sells: $from', (seller) => {
    const { tax_amount, lines, shipping, decision, coverage, jurisdiction_id } = assessed({
      ...seller,
      currency: 'USD',
      to: { ...US, region: 'AE', postal_code: '09012', city: 'APO' },
      lines: [{ amount: 10_000 }, { amount: 5_000, product_type: 'saas' }],
      shipping: { amount: 500 },
    })
    expect({ tax_amount, jurisdiction_id, coverage }).toEqual({
      tax_amount: 0,
      jurisdiction_id: 'US-AE',
      coverage: 'full',
    })
    for (const line of [...lines, shipping])
      expect(line).toMatchObject({
        taxability_reason: 'not_subject_to_tax',
        reason_detail: expect.stringContaining('delivered in no state'),
      })
    expect(decision).toMatchObject({ collect: false, must_register: false })
  })
})
