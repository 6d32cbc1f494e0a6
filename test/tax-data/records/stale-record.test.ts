import { describe, expect, it } from 'vitest'
import { agesInWords } from '../../../src/tax-data/records/data-age.ts'
import { metaOfAssessment } from '../../../src/tax-data/records/meta.ts'
import { presentProvenance } from '../../../src/tax-data/records/present-facts.ts'
import { REVIEWED_ON } from '../../../src/tax-data/records/review-day.ts'
import { DAY_MS } from '../../../src/platform/kit/calendar.ts'
import type { Rate } from '../../../src/engine/book/facts.ts'
import { packFacts, unpackFacts } from '../../../src/tax-data/records/packed-facts.ts'
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

describe('a rate that no collector reads', () => {
  it('is fresh for as long as a rule that people review', () => {
    const recargo = facts.rates.filter(
      ({ tax_type, category, effective_to }) =>
        tax_type === 'RECARGO_DE_EQUIVALENCIA' && category === 'standard' && effective_to === null,
    )
    const book = openRateBook(facts)
    const freshnessAfter = (days: number) => {
      const now = new Date(Date.parse(REVIEWED_ON) + days * DAY_MS)
      return metaOfAssessment(book, recargo, [], now, 'v').data_freshness
    }
    expect([89, 91].map(freshnessAfter)).toEqual(['fresh', 'stale'])
  })
})

describe('data as a release ships it', () => {
  const [rate] = german
  const after = (days: number) => new Date(Date.parse(REVIEWED_ON) + days * DAY_MS)

  it('is fresh within its window from the day of its review, which the answer says', () => {
    if (rate === undefined || rule === undefined) throw new Error('Germany has a rate and a rule')
    const law = { ...rule, last_verified_at: '2006-07-01T00:00:00Z' }
    const book = openRateBook(facts)
    const metaAfter = (days: number) => metaOfAssessment(book, [rate], [law], after(days), 'v')
    expect(metaAfter(0)).toMatchObject({
      data_freshness: 'fresh',
      reviewed_on: REVIEWED_ON,
      last_verified_at: '2006-07-01T00:00:00Z',
    })
    expect(metaAfter(7).data_freshness).toBe('fresh')
    expect(metaAfter(8)).toMatchObject({ data_freshness: 'stale', stale_record: rate.id })
  })

  it('stays so beside records that a collector has read or doubted', () => {
    const read = (each: Rate) => ({ ...each, verified_by: 'a collector', doubted_since: '2026-11-01' })
    const rates = facts.rates.map((each) => (each.jurisdiction_id === 'FR' ? read(each) : each))
    const stored = unpackFacts(packFacts({ ...facts, rates })).facts
    const kept = stored.rates.find(({ id }) => id === rate?.id)
    if (kept === undefined) throw new Error('Germany has a rate')
    expect(metaOfAssessment(openRateBook(stored), [kept], [], after(0), 'v')).toMatchObject({
      data_freshness: 'fresh',
      reviewed_on: REVIEWED_ON,
    })
  })

  it('is not made fresh by a review if a collector read it', () => {
    if (rate === undefined) throw new Error('Germany has a rate')
    const read = { ...rate, last_verified_at: after(-10).toISOString(), verified_by: 'TEDB' }
    expect(metaOfAssessment(openRateBook(facts), [read], [], after(0), 'v')).toMatchObject({
      data_freshness: 'stale',
      reviewed_on: null,
    })
  })

  it('tells the day of its source and that of its review apart', () => {
    if (rule === undefined) throw new Error('Germany has a rule')
    const law = { ...rule, last_verified_at: '2006-07-01T00:00:00Z' }
    expect(presentProvenance(law)).toMatchObject({
      as_of: '2006-07-01',
      verified_by: `kept by hand, reviewed on ${REVIEWED_ON}`,
    })
  })
})

it('the age of the data is told by kind', () => {
  expect(agesInWords(openRateBook(facts), NOW)).toMatch(
    /^\d+ rates, reviewed on \d{4}-\d\d-\d\d, \d+ of them without a dated source; \d+ thresholds, .*; \d+ product rules, /,
  )
})

describe('the age of the law that decided', () => {
  const book = openRateBook(facts)
  const ageOf = (rates: Parameters<typeof metaOfAssessment>[1], rules: (typeof facts)['product_rules']) =>
    metaOfAssessment(book, rates, rules, NOW, 'v').rule_age

  it('is that of the rule, whatever a collector read lately', () => {
    if (rule === undefined) throw new Error('Germany has a rule')
    const law = { ...rule, last_verified_at: '2006-07-01T00:00:00Z', source_kind: 'law' as const }
    const meta = metaOfAssessment(book, fresh, [{ ...law, verified_by: 'TEDB' }], NOW, 'v')
    expect(meta.rule_age).toEqual({ verified_on: '2006-07-01', source_kind: 'law' })
    const unseen = { ...rule, last_verified_at: null, source_kind: 'unknown' as const }
    expect(ageOf(fresh, [law, unseen])).toEqual({ verified_on: null, source_kind: 'unknown' })
    expect(ageOf(fresh, [unseen, law])).toEqual({ verified_on: null, source_kind: 'unknown' })
  })

  it('is that of the rate if no rule was used, and null if no record was', () => {
    const [rate] = fresh
    if (rate === undefined) throw new Error('Germany has a rate')
    const read = { ...rate, source_kind: 'authority' as const }
    expect(ageOf([read], [])).toEqual({ verified_on: '2026-11-21', source_kind: 'authority' })
    expect(ageOf([], [])).toBeNull()
  })

  it('is unknown for a record of an earlier release, which says no kind', () => {
    const [rate] = fresh
    if (rate === undefined) throw new Error('Germany has a rate')
    const { source_kind, ...stored } = rate
    expect(source_kind).not.toBe('unknown')
    const [kept] = unpackFacts(packFacts({ ...facts, rates: [stored] })).facts.rates
    expect(ageOf(kept === undefined ? [] : [kept], [])).toMatchObject({ source_kind: 'unknown' })
  })
})
