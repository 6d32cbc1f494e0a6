import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { type CollectQuestion, thresholdsOfQuestion } from '../../src/engine/answer/collect-question.ts'
import { decideCollection } from '../../src/engine/answer/decide.ts'
import type { Threshold } from '../../src/engine/book/facts.ts'
import { openRateBook, type RateBook } from '../../src/engine/book/rate-book.ts'
import type { Seller } from '../../src/engine/sale/sale.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { plainSale } from '../../scripts/plain-sale.ts'
import { questionOf } from './question.ts'

const facts = readFacts()
const book = openRateBook(facts)

const abroad: Seller = {
  address: { country: 'US', region: 'NY' },
  registrations: [],
  over_eu_threshold: false,
  small_business: false,
}

function questionAbout(id: string, more: Partial<CollectQuestion>): CollectQuestion {
  const place = placeOfJurisdiction(book, id)
  if (place === null) throw new Error(`${id} is no jurisdiction`)
  return questionOf({ place, seller: abroad, product_type: 'streaming', ...more })
}

const decide = (
  id: string,
  day: string,
  from: RateBook = book,
  sales: CollectQuestion['sales'] = () => null,
) => decideCollection(questionAbout(id, { day, sales }), from)

const calculated = (country: string, day: string) =>
  assessSale(
    plainSale(
      { currency: 'USD', day, seller: abroad, to: { country } },
      { amount: 2_000, product_type: 'streaming' },
    ),
    book,
  ).decision

const UNKNOWN = { collect: false, reason: 'threshold_unknown', must_register: null }

it('a law that is older than its threshold leaves open whether the seller must register', () => {
  const sold = { amount: 900_000_000, currency: 'ZAR', transaction_count: 10 }
  const before = decide('ZA', '2018-07-01', book, () => sold)
  expect(before).toMatchObject({
    ...UNKNOWN,
    threshold: null,
    explanation: expect.stringContaining('it is unknown whether the seller must register'),
  })
  expect(before.reasons.at(-1)).toMatchObject({ code: 'threshold_unknown', outcome: 'yes' })
  expect(calculated('ZA', '2018-07-01')).toEqual(UNKNOWN)
  expect(decide('ZA', '2019-04-01', book, () => sold)).toMatchObject({ must_register: true })
  expect(calculated('ZA', '2019-04-01')).toMatchObject({ reason: 'below_threshold', must_register: false })
})

it('no product that the tax does not fall on is said to have an unknown duty', () => {
  const question = questionAbout('ZA', { day: '2018-07-01', product_type: 'physical_goods' })
  expect(decideCollection(question, book)).toMatchObject({ must_register: false })
})

/** Each place that has a threshold, and each country of digital services. */
const PLACES = [
  ...new Set(facts.thresholds.map(({ jurisdiction_id }) => jurisdiction_id)),
  ...facts.countries.flatMap(({ id, law }) => (law === undefined ? [] : [id])),
]

it('in each place and on each day, an unknown duty is null in the answer and unknown in its words', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PLACES),
      fc.date({ min: new Date('2018-06-21'), max: new Date('2026-11-29'), noInvalidDate: true }),
      fc.constantFrom('streaming', 'saas', 'physical_goods', 'ebooks'),
      (id, date, product_type) => {
        const question = questionAbout(id, { day: date.toISOString().slice(0, 10), product_type })
        const { must_register, explanation, reason, collect } = decideCollection(question, book)
        // A sale that is exempt obliges nobody to register.
        if (reason === 'product_exempt') return
        expect(must_register === null, explanation).toBe(explanation.includes('unknown whether'))
        if (!collect) expect(reason === 'threshold_unknown').toBe(must_register === null)
      },
    ),
    { numRuns: 3_000 },
  )
})

const YEAR: Threshold = {
  ...decided('MY'),
  amount: 15_000_000_00,
  currency: 'MYR',
  measurement_period: 'trailing_12_months',
}
const QUARTER: Threshold = {
  ...YEAR,
  id: `${YEAR.id}:3`,
  scope: 'non_resident_3_months',
  amount: 3_750_000_00,
  measurement_period: 'trailing_3_months',
}

function decided(id: string): Threshold {
  const [threshold] = book.thresholds.get(id) ?? []
  if (threshold === undefined) throw new Error(`${id} has no threshold`)
  return threshold
}

const twoLimits = openRateBook({
  ...facts,
  // The order of the records does not decide.
  thresholds: [QUARTER, YEAR, ...facts.thresholds.filter(({ jurisdiction_id }) => jurisdiction_id !== 'MY')],
})
const sold = (amount: number) => ({ amount, currency: 'MYR', transaction_count: 4 })
const withTwoLimits = (year: number, quarter: number | null) =>
  decide('MY', '2026-06-15', twoLimits, (threshold) => {
    if (threshold?.scope !== QUARTER.scope) return sold(year)
    return quarter === null ? null : sold(quarter)
  })

it('passing either limit of one scope obliges', () => {
  const asked = questionAbout('MY', {})
  expect(thresholdsOfQuestion(asked, twoLimits)).toEqual([YEAR, QUARTER])
  const over = { reason: 'threshold_exceeded', must_register: true }
  expect(withTwoLimits(YEAR.amount ?? 0, 0)).toMatchObject({ reason: 'approaching_threshold' })
  expect(withTwoLimits(1_500_000_001, 0)).toMatchObject({ ...over, threshold: YEAR })
  const quarter = withTwoLimits(400_000_000, 375_000_001)
  expect(quarter).toMatchObject({ ...over, threshold: QUARTER })
  expect(quarter.explanation).toContain('have passed the threshold of MYR 3,750,000.00 in 3 months')
  expect(withTwoLimits(400_000_000, 375_000_000)).toMatchObject({ must_register: false })
})

it('says that the sales of three months are missing, and how to send them', () => {
  const { must_register, doubts } = withTwoLimits(1_400_000_000, null)
  expect(must_register).toBe(false)
  expect(doubts.join()).toContain('pass MYR 3,750,000.00 in 3 months. These sales are unknown')
  expect(withTwoLimits(1_400_000_000, 1).doubts).toEqual([])
})

it('a calculation names both limits', () => {
  const { lines } = assessSale(
    plainSale(
      { currency: 'MYR', day: '2026-06-15', seller: abroad, to: { country: 'MY' } },
      { amount: 2_000, product_type: 'streaming' },
    ),
    twoLimits,
  )
  expect(lines[0]?.reason_detail).toContain(
    'due once its threshold of MYR 15,000,000.00 or MYR 3,750,000.00 in 3 months is passed',
  )
})

const DAY = '2026-11-15'

it.each([
  ['CR', 'registration_choice', 'this is the choice of the seller'],
  ['EC', 'registration_choice', 'this is the choice of the seller'],
  ['ID', 'registration_appointed', 'only if its tax office appoints the seller'],
])('no threshold obliges a seller in %s: %s', (country, reason, words) => {
  const decision = { collect: false, reason, must_register: false }
  expect(calculated(country, DAY)).toEqual(decision)
  const decided = decide(country, DAY)
  expect(decided).toMatchObject({ ...decision, threshold: null, progress: null })
  expect(decided.explanation).toContain(words)
})

it.each([
  ['UG', 'UGX', 150_000_000, 37_500_000],
  ['LK', 'LKR', 6_000_000_000, 1_500_000_000],
  ['KH', 'KHR', 25_000_000_000, 6_000_000_000],
])('a seller in %s passes the limit of a year or of three months', (country, currency, year, quarter) => {
  const passes = (sold: number, recent: number | null) =>
    decide(country, DAY, book, (threshold) => {
      const amount = threshold?.measurement_period === 'trailing_3_months' ? recent : sold
      return amount === null ? null : { amount, currency, transaction_count: 1 }
    }).must_register
  expect([passes(year, quarter), passes(year + 1, 0), passes(quarter + 1, quarter + 1)]).toEqual([
    false,
    true,
    true,
  ])
  expect(passes(year - 1, null)).toBe(false)
})
