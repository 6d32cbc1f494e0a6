import { expect, it } from 'vitest'
import { compensationsOf } from '../../../src/returns/filing/vendor-compensation.ts'

const days = (from: string, to: string) => ({ name: '2026', kind: 'months' as const, from, to })
const MONTH = days('2026-02-01', '2026-02-28')
const QUARTER = days('2026-01-01', '2026-03-31')

it.each([
  ['US-TX', 825_050, MONTH, 4_125],
  ['US-FL', 100_000, MONTH, 2_500],
  ['US-FL', 900_000, QUARTER, 3_000],
  ['US-IL', 2_000_000, MONTH, 35_000],
  ['US-IL', 20_000_000, MONTH, 100_000],
  ['US-IL', 20_000_000, QUARTER, 300_000],
  ['US-IL', -500, QUARTER, 0],
])('%s lets keep of %d: %#', (jurisdiction_id, tax_amount, period, amount) => {
  expect(compensationsOf([{ jurisdiction_id, tax_amount }], period)).toMatchObject([
    {
      jurisdiction_id,
      status: 'computed',
      amount,
      source: expect.any(String),
      conditions: expect.any(String),
    },
  ])
})

it('names each state once, with its corrections, and says what is not in the data', () => {
  const declared = [
    { jurisdiction_id: 'US-TX', tax_amount: 10_000 },
    { jurisdiction_id: 'US-OH', tax_amount: 10_000 },
    { jurisdiction_id: 'US-TX', tax_amount: -2_000 },
  ]
  expect(compensationsOf(declared, MONTH)).toMatchObject([
    { jurisdiction_id: 'US-OH', status: 'not_on_file', amount: null },
    { jurisdiction_id: 'US-TX', status: 'computed', amount: 40 },
  ])
})
