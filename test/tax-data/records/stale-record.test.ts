import { describe, expect, it } from 'vitest'
import { agesInWords } from '../../../src/tax-data/records/data-age.ts'
import { metaOfAssessment } from '../../../src/tax-data/records/meta.ts'
import { openRateBook } from '../../../src/engine/book/rate-book.ts'
import { testFacts } from '../../support/service-data.ts'

const NOW = new Date('2026-11-21T02:00:00Z')
const facts = testFacts()
const german = facts.rates.filter(
  ({ jurisdiction_id, category, effective_to }) =>
    jurisdiction_id === 'DE' && category === 'standard' && effective_to === null,
)
const fresh = german.map((rate) => ({ ...rate, last_verified_at: NOW.toISOString() }))
const rule = facts.product_rules.find(({ jurisdiction_id }) => jurisdiction_id === 'DE')

describe('the freshness of an answer', () => {
  const book = openRateBook(facts)

  it('names no record if every one is fresh', () => {
    const meta = metaOfAssessment(book, fresh, [], NOW, 'v')
    expect(meta.data_freshness).toBe('fresh')
    expect(meta).not.toHaveProperty('stale_record')
  })

  it('names the record that is old, be it the rate or the rule', () => {
    const [rate] = fresh
    const old = { ...german[0], ...rate, last_verified_at: '2026-01-01T00:00:00Z' } as typeof rate & {}
    expect(metaOfAssessment(book, [old], [], NOW, 'v')).toMatchObject({
      data_freshness: 'stale',
      stale_record: rate?.id,
    })
    if (rule === undefined) throw new Error('Germany has no rule')
    const unread = { ...rule, last_verified_at: null }
    expect(metaOfAssessment(book, fresh, [unread], NOW, 'v')).toMatchObject({
      data_freshness: 'stale',
      stale_record: rule.id,
    })
  })
})

it('the age of the data is told by kind', () => {
  expect(agesInWords(openRateBook(facts), NOW)).toMatch(
    /^\d+ rates, last reviewed on \d{4}-\d\d-\d\d, \d+ of them over a year ago; \d+ thresholds, .*; \d+ product rules, /,
  )
})
