import { describe, expect, it } from 'vitest'
import { coverageOf } from '../../src/engine/answer/coverage.ts'
import { decideCollection } from '../../src/engine/answer/decide.ts'
import { describeThreshold } from '../../src/engine/book/money-in-words.ts'
import type { CollectQuestion } from '../../src/engine/answer/collect-question.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { assessed, book, type SaleInWords } from './sale.ts'
import { questionOf } from './question.ts'

const US = { country: 'US', region: 'NY' }

describe('tax in whole dollars of Taiwan', () => {
  const sold = (amounts: number[], more: Partial<SaleInWords> = {}) =>
    assessed({
      from: US,
      to: { country: 'TW' },
      registrations: ['TW'],
      currency: 'TWD',
      rounding: 'document',
      lines: amounts.map((amount) => ({ amount, product_type: 'saas' })),
      ...more,
    })

  it('is rounded once, half up', () => {
    expect(sold([10_900]).tax_amount).toBe(500)
    expect(sold([11_000]).tax_amount).toBe(600)
    expect(sold([-11_000]).tax_amount).toBe(-600)
    expect(sold([5_500, 5_500]).tax_amount).toBe(600)
    expect(sold([5_500, 5_500]).lines.map(({ tax_amount }) => tax_amount % 100)).toEqual([0, 0])
  })

  it('is rounded on each line if the request asks for it', () => {
    expect(sold([5_900, 5_900], { rounding: 'line' }).tax_amount).toBe(600)
  })

  it('holds for prices with tax and for what a registered seller would charge', () => {
    const lines = [{ amount: 10_500, product_type: 'saas', tax_behavior: 'inclusive' as const }]
    expect(sold([], { lines }).lines[0]).toMatchObject({ tax_amount: 500, net_amount: 10_000 })
    expect(sold([10_900], { registrations: [] }).lines[0]?.tax_if_registered).toBe(500)
  })

  it('is exact in other currencies', () => {
    expect(sold([10_900], { currency: 'USD' }).tax_amount).toBe(545)
  })
})

describe('business_only', () => {
  const told = (country: string, product_type = 'saas') =>
    assessed({
      from: US,
      to: { country },
      registrations: [country],
      lines: [{ amount: 100_000, product_type, business_only: true }],
    }).notes.some((note) => note.startsWith('business_only was not used'))

  it('is told where no law asks for it', () => {
    expect([told('JP'), told('KR'), told('DE'), told('JP', 'physical_goods')]).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
})

describe('mail order to Switzerland', () => {
  const question = (amount: number, more: Partial<CollectQuestion> = {}) =>
    questionOf({
      place: invariant(placeOfJurisdiction(book, 'CH'), 'CH is in the data'),
      seller: {
        address: { country: 'DE' },
        registrations: [],
        over_eu_threshold: false,
        small_business: false,
      },
      product_type: 'physical_goods',
      price: { amount: 3_000, currency: 'CHF' },
      sales: () => ({ amount, currency: 'CHF', transaction_count: 100 }),
      ...more,
    })
  const asked = (amount: number, more: Partial<CollectQuestion> = {}) =>
    decideCollection(question(amount, more), book)

  it('obliges to register at 100,000 CHF a year of small consignments', () => {
    expect(asked(10_000_000)).toMatchObject({ must_register: true, reason: 'threshold_exceeded' })
    expect(asked(9_999_999)).toMatchObject({ must_register: false, reason: 'not_subject_to_tax' })
    expect(asked(10_000_000).threshold?.notes).toContain('CHF 5')
  })

  it('is another threshold than that of services', () => {
    expect(asked(9_999_999, { product_type: 'saas' }).threshold?.scope).toBe('non_resident')
    expect(asked(9_999_999).threshold?.scope).toBe('mail_order')
  })

  it('says nothing of a seller that is registered', () => {
    const seller = { ...question(0).seller, registrations: ['CH'] }
    expect(asked(10_000_000, { seller })).toMatchObject({ collect: true, must_register: false })
  })
})

it('covers digital and other services from abroad in India, not goods or meals', () => {
  const india = invariant(placeOfJurisdiction(book, 'IN'), 'IN is in the data')
  const status = (product: Parameters<typeof coverageOf>[2]) =>
    coverageOf(book, india, product, '2026-06-15').status
  expect(status('saas')).toBe('on_file')
  expect(['physical_goods', 'prepared_food'].map((each) => status(each as 'physical_goods'))).toEqual([
    'not_covered',
    'not_covered',
  ])
})

it('covers no product whose rate has ended by law, until the next rate is on file', () => {
  const covered = (id: string, day: string) => {
    const place = invariant(placeOfJurisdiction(book, id), `${id} is in the data`)
    return coverageOf(book, place, 'accommodation', day).status
  }
  // The special rate of lodging: Art. 25(4) MWSTG. It ends in 2027, and its renewal is not passed.
  expect(covered('CH', '2027-12-31')).toBe('on_file')
  expect(['CH', 'LI'].map((id) => covered(id, '2028-01-01'))).toEqual(['not_covered', 'not_covered'])
})

describe('a marketplace in Japan', () => {
  const sold = (more: Partial<SaleInWords>) =>
    assessed({
      from: US,
      to: { country: 'JP' },
      registrations: ['JP'],
      marketplace: 'facilitated',
      lines: [{ amount: 10_000, product_type: 'streaming' }],
      ...more,
    }).lines[0]?.taxability_reason
  const business = { address: { country: 'JP' }, type: 'business', vat_id: null } as const

  it('accounts for electronic services for all, also if a business buys them', () => {
    expect(sold({})).toBe('marketplace_collects')
    expect(sold({ customer: business })).toBe('marketplace_collects')
  })

  it('does not account for services for businesses alone, nor before its first day', () => {
    const lines = [{ amount: 10_000, product_type: 'saas', business_only: true }]
    expect(sold({ customer: business, lines })).toBe('reverse_charge')
    expect(sold({ customer: business, day: '2025-03-31' })).toBeNull()
  })
})

describe('a first sale of an exempt product', () => {
  const sold = (country: string, product_type: string) =>
    assessed({
      from: US,
      to: { country },
      registrations: [],
      lines: [{ amount: 10_000, product_type }],
    })

  it.each([
    ['MX', 'ebooks'],
    ['MX', 'saas'],
    ['KR', 'ebooks'],
  ])('obliges nobody to register in %s: %s', (country, product_type) => {
    const { decision, lines } = sold(country, product_type)
    expect(decision).toEqual({ collect: false, reason: 'product_exempt', must_register: false })
    expect(lines[0]?.tax_if_registered).toBe(0)
  })

  it.each([
    ['MX', 'streaming'],
    ['KR', 'saas'],
  ])('is no first sale of a taxed one: %s, %s', (country, product_type) => {
    expect(sold(country, product_type).decision).toMatchObject({
      reason: 'threshold_exceeded',
      must_register: true,
    })
  })
})

it('frees audio books in Norway like e-books: both bear no VAT since 2019-07-01', () => {
  const heard = (day: string) =>
    assessed({
      from: US,
      to: { country: 'NO' },
      registrations: ['NO'],
      day,
      lines: [{ amount: 10_000, product_type: 'audiobooks' }],
    }).tax_amount
  expect([heard('2019-06-30'), heard('2019-07-01'), heard('2026-06-15')]).toEqual([2_500, 0, 0])
})

it('says the turnover alone where the first sale counts once it is passed', () => {
  const thresholds = book.thresholds.get('CH') ?? []
  const limits = thresholds.map((threshold) => describeThreshold(threshold))
  expect(limits).toContain('worldwide turnover of CHF 100,000.00')
  expect(limits.join()).not.toMatch(/\b0 CHF/)
})
