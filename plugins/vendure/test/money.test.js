'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { toService, toVendure } = require('../src/money.js')

test('amounts of Vendure have the digits of its precision, in each currency', () => {
  const cases = [
    [1_999, 'EUR', 2, 1_999],
    [-5, 'USD', 2, -5],
    [100_000, 'JPY', 2, 1_000],
    [19_990, 'EUR', 3, 1_999],
  ]
  for (const [amount, currency, precision, minor] of cases) {
    assert.equal(toService(amount, currency, precision), minor)
    assert.equal(toVendure(minor, currency, precision), amount)
  }
})

test('a part of a cent is refused', () => {
  assert.throws(() => toService(19_995, 'EUR', 3), RangeError)
  assert.throws(() => toVendure(1_001, 'KWD', 2), RangeError)
})
