import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMajorUnits, toMinorUnits } from '../../client/src/shop.ts'

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KRW', 'KWD', 'BHD')
const amount = fc.integer({ min: -1_000_000_000_000_000, max: 1_000_000_000_000_000 })

describe('the money of a shop', () => {
  it('is the same amount after the way there and back', () => {
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        expect(toMinorUnits(toMajorUnits(minor, code), code)).toBe(minor === 0 ? 0 : minor)
      }),
    )
  })

  it('is exact for prices that are numbers of JavaScript', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (minor) => {
        expect(toMinorUnits(minor / 100, 'EUR')).toBe(minor)
      }),
    )
  })

  it('goes by the digits of the currency', () => {
    expect([toMinorUnits('19.99', 'EUR'), toMinorUnits('1999', 'JPY'), toMinorUnits('19.99', 'KWD')]).toEqual(
      [1_999, 1_999, 19_990],
    )
    expect([toMajorUnits(-5, 'EUR'), toMajorUnits(1_999, 'JPY'), toMajorUnits(1, 'KWD')]).toEqual([
      '-0.05',
      '1999',
      '0.001',
    ])
    expect(toMinorUnits('19.9900', 'EUR')).toBe(1_999)
    // The runtime has no digits for the forint. The service counts in its hundredths.
    expect([toMinorUnits('1999', 'HUF'), toMajorUnits(199_900, 'HUF')]).toEqual([199_900, '1999.00'])
  })

  it('rounds nothing away', () => {
    for (const price of ['19.995', '0.001', '1e3', '', '1,50', '.5', NaN, 1e21, '10000000000001'])
      expect(() => toMinorUnits(price, 'EUR'), String(price)).toThrow(RangeError)
    expect(() => toMinorUnits('1.5', 'JPY')).toThrow('JPY has 0 digits after the point')
    expect(() => toMajorUnits(1.5, 'EUR')).toThrow(RangeError)
    expect(() => toMinorUnits('1', 'EURO')).toThrow(RangeError)
  })
})
