import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import { assessed, saleOf } from './sale.ts'

describe('a territory outside the VAT area of its country', () => {
  it.each([
    { country: 'ES', postal_code: '38001' },
    { country: 'ES', postal_code: '51001' },
    { country: 'DE', postal_code: '27498' },
    { country: 'IT', postal_code: '22061' },
    { country: 'GR', postal_code: '63086' },
    { country: 'NO', postal_code: '9170' },
    { country: 'NO', region: '21' },
    { country: 'NO', region: 'NO-22' },
    { country: 'NO', region: 'Svalbard' },
    { country: 'GF' },
    { country: 'YT' },
    { country: 'GG' },
    { country: 'JE' },
  ])(
    'is not taxed at the rates of its country when it has none of its own: $country $postal_code $region',
    (place) => {
      const { tax_amount, lines, notes } = assessed({
        from: place,
        to: place,
        lines: [{ amount: 10_000 }, { amount: 10_000, product_type: 'accommodation' }],
      })
      expect(tax_amount).toBe(0)
      expect(lines.map((line) => line.taxability_reason)).toEqual(['not_supported', 'not_supported'])
      expect(notes.join()).toContain('No tax was computed')
    },
  )

  // MWSTG, art. 3(a): the customs enclave is Swiss territory for VAT.
  it('is taxed in Büsingen at the rates of Switzerland', () => {
    const place = { country: 'DE', postal_code: '78266' }
    const { tax_amount } = assessed({
      from: place,
      to: place,
      lines: [{ amount: 10_000 }, { amount: 10_000, product_type: 'accommodation' }],
    })
    expect(tax_amount).toBe(810 + 380)
  })

  it.each(['RE', 'GP', 'MQ'])('has only its own rates: %s', (country) => {
    const { lines } = assessed({
      from: { country },
      to: { country },
      lines: [
        { amount: 10_000 },
        { amount: 10_000, product_type: 'groceries' },
        { amount: 10_000, product_type: 'prepared_food' },
        { amount: 10_000, product_type: 'accommodation' },
      ],
    })
    expect(lines.map((line) => line.tax_amount)).toEqual([850, 210, 210, 210])
    expect(lines[2]?.notes.join()).toContain("the territory's reduced rate")
  })

  it('takes the reduced rates of its country if it has only a standard rate', () => {
    const to = { country: 'AT', postal_code: '6691' }
    expect(
      assessed({ from: to, to, lines: [{ amount: 10_000 }, { amount: 10_000, product_type: 'groceries' }] })
        .tax_amount,
    ).toBe(1900 + 1000)
  })
})

describe('a rule whose rate is not on record', () => {
  it('is no reason to take a later rate', () => {
    const facts = readFacts()
    const rates = facts.rates.filter((rate) => rate.id !== 'rate:us-ct:sales_tax:reduced_2:2019-10-01')
    const place = { country: 'US', region: 'CT' }
    const sale = saleOf({
      from: place,
      to: place,
      currency: 'USD',
      day: '2020-06-01',
      lines: [{ amount: 10_000, product_type: 'prepared_food' }],
    })
    expect(assessSale(sale, openRateBook(facts)).tax_amount).toBe(735)
    expect(() => assessSale(sale, openRateBook({ ...facts, rates }))).toThrow(
      'no reduced 2 sales tax rate of Connecticut',
    )
  })
})

describe('a tax that stands instead of the sales tax', () => {
  it('says that the standard rate stands for another tax', () => {
    const place = { country: 'US', region: 'FL' }
    const { notes } = assessed({
      from: place,
      to: place,
      currency: 'USD',
      lines: [{ amount: 10_000, product_type: 'streaming' }],
    })
    expect(notes.join()).toContain('Communications services tax instead of sales tax')
  })
})

describe('Northern Ireland', () => {
  const belfast = { country: 'GB', postal_code: 'BT1 1AA' }

  it('is reached by the import one-stop shop', () => {
    const { tax_amount, jurisdiction_id } = assessed({
      from: { country: 'US' },
      registrations: ['ioss'],
      to: belfast,
      lines: [{ amount: 10_000 }],
    })
    expect([tax_amount, jurisdiction_id]).toEqual([2000, 'XI'])
  })

  it('counts as Great Britain for services from the Union', () => {
    const { jurisdiction_id } = assessed({
      from: { country: 'DE' },
      registrations: [],
      to: belfast,
      lines: [{ amount: 100, product_type: 'saas' }],
    })
    expect(jurisdiction_id).toBe('GB')
  })
})

describe('a consignment from outside', () => {
  const sale = { from: { country: 'US' }, registrations: ['ioss'], to: { country: 'DE' } }

  it('is measured without the tax on its goods', () => {
    const books = { product_type: 'books', tax_behavior: 'inclusive' as const }
    expect(assessed({ ...sale, lines: [{ ...books, amount: 16_050 }] }).tax_amount).toBe(1050)
    expect(assessed({ ...sale, lines: [{ ...books, amount: 16_052 }] }).lines[0]?.taxability_reason).toBe(
      'not_subject_to_tax',
    )
  })
})

describe('a currency without an exchange rate', () => {
  const no_rate = { currency: 'XTS' }

  it('is never compared one to one with a limit, and a note says so', () => {
    const state = { country: 'US', region: 'NY' }
    const clothing = assessed({
      ...no_rate,
      from: state,
      to: state,
      lines: [{ amount: 100, product_type: 'clothing' }],
    })
    expect(clothing.tax_amount).toBe(4)
    expect(clothing.notes.join()).toContain('The exchange rate of XTS is unknown')
    const consignment = assessed({
      ...no_rate,
      from: { country: 'US' },
      registrations: ['ioss'],
      to: { country: 'DE' },
      lines: [{ amount: 100 }],
    })
    expect(consignment.notes.join()).toContain('The exchange rate of XTS is unknown')
  })
})
