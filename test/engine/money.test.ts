import { expect, it } from 'vitest'
import { moneyInWords } from '../../src/engine/book/money-in-words.ts'

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
