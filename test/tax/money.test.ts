import { expect, it } from 'vitest'
import { minorDigits as digitsOfClient } from '../../client/src/minor-digits.ts'
import { CURRENCIES } from '../../src/http/iso-codes.ts'
import { minorDigits } from '../../src/tax/book/minor-digits.ts'
import { moneyInWords } from '../../src/tax/book/money-in-words.ts'
import { book } from './sale.ts'

it('has the digits of ISO 4217, whatever the platform thinks', () => {
  for (const { currency, exponent } of book.exchange_rates.values())
    expect(minorDigits(currency), currency).toBe(exponent)
  expect(['HUF', 'IDR', 'COP', 'JPY', 'KWD', 'CLF'].map(minorDigits)).toEqual([2, 2, 2, 0, 3, 4])
})

it('has the same digits in the client', () => {
  for (const currency of CURRENCIES.keys())
    expect(digitsOfClient(currency), currency).toBe(minorDigits(currency))
})

it.each([
  [50_000_000, 'USD', '$500,000.00'],
  [-174, 'EUR', '-€1.74'],
  [500, 'JPY', '¥500'],
  [500, 'CHF', 'CHF 5.00'],
  [2_000_000_000, 'HUF', 'HUF 20,000,000.00'],
  [1_234, 'KWD', 'KWD 1.234'],
])('%d %s in words are %s', (amount, currency, words) => {
  expect(moneyInWords(amount, currency)).toBe(words)
})
