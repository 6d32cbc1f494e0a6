import { expect, it } from 'vitest'
import { changedFaults, type DatedRecord, KINDS } from '../../scripts/checks/changed-facts.ts'

const RATE = {
  jurisdiction_id: 'LU',
  tax_type: 'VAT',
  rate_category: 'standard',
  rate: 0.17,
  effective_from: '2024-01-01',
  source: 'Law of 2023',
  source_url: 'https://example.com/2023',
  verified_at: '2026-11-20',
}
const faults = (after: readonly DatedRecord[]) => changedFaults(KINDS.rates, [RATE], after)

it('accepts a record that ends, and one of a tax that the release does not have', () => {
  expect(faults([{ ...RATE, effective_to: '2026-12-31' }])).toEqual([])
  expect(faults([RATE, { ...RATE, jurisdiction_id: 'XX' }])).toEqual([])
})

it('refuses a new period with the day and the source of the one before', () => {
  const next = { ...RATE, rate: 0.18, effective_from: '2027-01-01' }
  expect(faults([RATE, next])).toEqual([
    'LU VAT standard from 2027-01-01: verified_at has to be later than 2026-11-20',
    'LU VAT standard from 2027-01-01: source and source_url are those of the record from 2024-01-01',
  ])
  expect(faults([RATE, { ...next, verified_at: null, source: 'Law of 2026' }])).toHaveLength(1)
  expect(faults([RATE, { ...next, verified_at: '2026-11-21', source: 'Law of 2026' }])).toEqual([])
})

it('refuses a corrected rate that nobody has looked at again', () => {
  expect(faults([{ ...RATE, rate: 0.16 }])).toEqual([
    'LU VAT standard from 2024-01-01: verified_at has to be later than 2026-11-20',
  ])
  expect(faults([{ ...RATE, rate: 0.16, verified_at: '2026-11-21' }])).toEqual([])
})

it('compares the figures of thresholds too', () => {
  const threshold = {
    ...RATE,
    threshold_type: 'VAT_REGISTRATION',
    scope: 'all',
    amount: 1,
    transaction_count: null,
  }
  const compared = (after: DatedRecord) => changedFaults(KINDS.thresholds, [threshold], [after])
  expect(compared({ ...threshold, rate: 0.5 })).toEqual([])
  expect(compared({ ...threshold, amount: 2 })).toHaveLength(1)
  expect(compared({ ...threshold, transaction_count: 200 })).toHaveLength(1)
})
