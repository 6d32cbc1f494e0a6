import { describe, expect, it } from 'vitest'
import { minorDigits as digitsOfClient } from '../../client/src/minor-digits.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { CURRENCIES } from '../../src/http/iso-codes.ts'
import { minorDigits } from '../../src/tax/book/minor-digits.ts'

/** ISO 4217, list one: currencies without a minor unit, and those with three digits. All others have two. */
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

describe('the digits of a minor unit', () => {
  it('are those of ISO 4217, not those of the runtime', () => {
    const expected = (code: string) => (NONE.includes(code) ? 0 : THREE.includes(code) ? 3 : 2)
    for (const code of CURRENCIES) expect(`${code} ${minorDigits(code)}`).toBe(`${code} ${expected(code)}`)
    expect(['HUF', 'IDR', 'COP', 'PKR', 'ALL', 'LBP'].map(minorDigits)).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('are the same in the service, in the client and in the exchange rates', () => {
    for (const code of CURRENCIES)
      expect(`${code} ${digitsOfClient(code)}`).toBe(`${code} ${minorDigits(code)}`)
    expect(digitsOfClient('huf')).toBe(2)
    for (const { currency, exponent } of readFacts().exchange_rates)
      expect(`${currency} ${minorDigits(currency)}`).toBe(`${currency} ${exponent}`)
  })
})
