import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, minorUnits as unitsOfCommand } from '../../client/src/cli/money.ts'
import { minorDigits as digitsOfClient } from '../../client/src/minor-digits.ts'
import { toMajorUnits, toMinorUnits } from '../../client/src/shop/money.ts'
import { minorUnits as unitsOfImport } from '../../scripts/imports/decimals.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { CURRENCIES } from '../../src/platform/http/iso-codes.ts'
import { minorUnits as unitsOfCalculator } from '../../src/interfaces/pages/calculator.ts'
import { minorDigits } from '../../src/engine/book/minor-digits.ts'
import { moneyInWords } from '../../src/engine/book/money-in-words.ts'
import {
  DecimalNumber,
  majorUnits,
  minorUnits as unitsOfTaxJar,
} from '../../src/interfaces/taxjar/amounts.ts'
import { amountsNamed } from '../../src/sales/transactions/read/amounts-named.ts'

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

describe('an amount, written and read again, in each currency', () => {
  const currency = fc.constantFrom(...CURRENCIES.keys())
  /** The service takes no larger amount. */
  const upTo = (max: number) =>
    fc.oneof(fc.integer({ min: -max, max }), fc.integer({ min: -1_000_000, max: 1_000_000 }))
  const LARGEST = 1_000_000_000_000_000
  const TAXJAR_LARGEST = 1_000_000_000_000

  it.each<[string, number, (amount: number, currency: string) => number]>([
    ['of a shop', LARGEST, (amount, code) => toMinorUnits(toMajorUnits(amount, code), code)],
    ['of an import', LARGEST, (amount, code) => unitsOfImport(toMajorUnits(amount, code), code)],
    [
      'of TaxJar, as a text',
      LARGEST,
      (amount, code) => unitsOfTaxJar(DecimalNumber.parse(toMajorUnits(amount, code)), code),
    ],
    [
      'of TaxJar, as a number',
      TAXJAR_LARGEST,
      (amount, code) => unitsOfTaxJar(DecimalNumber.parse(majorUnits(amount, code)), code),
    ],
  ])('%s is the same', (_, max, again) => {
    fc.assert(
      fc.property(upTo(max), currency, (amount, code) => {
        expect(again(amount, code) + 0).toBe(amount)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each<[string, (amount: number, currency: string) => number]>([
    ['of a command', (amount, code) => unitsOfCommand(decimal(amount, code), code)],
    ['of the calculator', (amount, code) => unitsOfCalculator(toMajorUnits(amount, code), code)],
    [
      'of the calculator, with a comma',
      (amount, code) => unitsOfCalculator(toMajorUnits(amount, code).replace('.', ','), code),
    ],
  ])('%s, which takes no minus, is the same', (_, again) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), currency, (amount, code) => {
        expect(again(amount, code)).toBe(amount)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is found by the search as it is shown and as a decimal', () => {
    fc.assert(
      fc.property(upTo(LARGEST), currency, (amount, code) => {
        for (const q of [moneyInWords(amount, code), toMajorUnits(amount, code)]) {
          const totals = amountsNamed(q).flatMap(({ total, currencies }) =>
            currencies === null || currencies.includes(code) ? [total + 0] : [],
          )
          expect(totals, q).toContain(amount)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
