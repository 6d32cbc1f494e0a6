import { describe, expect, it } from 'vitest'
import { digitsOf } from '../../client/src/currency-digits.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { CURRENCIES } from '../../src/http/iso-codes.ts'
import { minorDigits } from '../../src/tax/book/money-in-words.ts'
import { moneyInWords } from '../../src/words/figures-in-words.ts'

/** ISO 4217, list one: currencies without a minor unit, and those with three digits. All others have two. */
const NONE = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'VND',
  'VUV',
  'XAF',
]
const THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']

describe('the digits of a minor unit', () => {
  it('are those of ISO 4217, not those of the runtime', () => {
    const expected = (code: string) => {
      if ([...NONE, 'XOF', 'XPF'].includes(code)) return 0
      return THREE.includes(code) ? 3 : 2
    }
    for (const code of CURRENCIES) expect(`${code} ${minorDigits(code)}`).toBe(`${code} ${expected(code)}`)
    expect(['HUF', 'IDR', 'COP', 'PKR', 'ALL', 'LBP'].map(minorDigits)).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('are the same in the service, in the client and in the exchange rates', () => {
    for (const code of CURRENCIES) expect(`${code} ${digitsOf(code)}`).toBe(`${code} ${minorDigits(code)}`)
    expect(digitsOf('huf')).toBe(2)
    for (const { currency, exponent } of readFacts().exchange_rates)
      expect(`${currency} ${minorDigits(currency)}`).toBe(`${currency} ${exponent}`)
  })

  it('are written in full', () => {
    expect(moneyInWords(2_000_000_000, 'HUF')).toBe('HUF 20,000,000.00')
    expect([moneyInWords(1_999, 'EUR'), moneyInWords(1_999, 'JPY'), moneyInWords(1_999, 'KWD')]).toEqual([
      '€19.99',
      '¥1,999',
      'KWD 1.999',
    ])
  })
})
