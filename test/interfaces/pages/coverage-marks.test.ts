import { expect, it } from 'vitest'
import { countCoverage } from '../../../src/interfaces/pages/coverage-page.tsx'
import { openRateBook } from '../../../src/engine/book/rate-book.ts'
import { coverageOf, taxedPlaces } from '../../../src/engine/answer/coverage.ts'
import { testFacts } from '../../support/service-data.ts'

const DAY = '2026-11-27'
const facts = testFacts()

it('counts a rule in the data that was seen at no source apart from those that were', () => {
  const seen = facts.product_rules.map((rule) => ({ ...rule, last_verified_at: '2026-11-01T00:00:00.000Z' }))
  const unseen = facts.product_rules.map((rule) => ({
    ...rule,
    last_verified_at: null,
    confidence: 'high' as const,
  }))
  const counted = (product_rules: typeof facts.product_rules) => {
    const [verified = 0, , , , not_verified = 0] =
      countCoverage(openRateBook({ ...facts, product_rules }), DAY).get('NZ books') ?? []
    return { verified, not_verified }
  }
  expect(counted(seen)).toEqual({ verified: 1, not_verified: 0 })
  expect(counted(unseen)).toEqual({ verified: 0, not_verified: 1 })
})

it('has a source for a part of the commonest products where most is sold', () => {
  const book = openRateBook(facts)
  const cells = taxedPlaces(book)
    .filter(({ jurisdiction_id }) => COMMON_PLACES.has(jurisdiction_id))
    .flatMap((place) => COMMON_TYPES.map((type) => coverageOf(book, place, type, DAY)))
  const verified = cells.filter(
    ({ status, last_verified_at }) => status === 'on_file' && last_verified_at !== null,
  )
  expect(cells.length).toBe(COMMON_PLACES.size * COMMON_TYPES.length)
  expect(verified.length).toBeGreaterThanOrEqual(VERIFIED_AT_LEAST)
})

/** The number only rises. */
const VERIFIED_AT_LEAST = 783

const COMMON_PLACES = new Set(
  [
    'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE GB',
    'US-CA US-TX US-FL US-NY US-PA US-IL US-OH US-GA US-NC US-MI US-NJ US-VA US-WA US-AZ US-TN US-MA US-IN',
    'US-MD US-MO US-WI US-CO US-MN US-SC US-AL CA-ON CA-QC CA-BC CA-AB AU NZ CH NO JP SG IN',
  ].flatMap((line) => line.split(' ')),
)
const COMMON_TYPES = [
  'physical_goods',
  'clothing',
  'groceries',
  'prepared_food',
  'books',
  'ebooks',
  'saas',
  'software_download',
  'digital_goods',
  'streaming',
  'professional_services',
  'prescription_drugs',
  'event_admission',
  'accommodation',
  'shipping',
] as const
