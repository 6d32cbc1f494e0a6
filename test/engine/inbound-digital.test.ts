import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { nameInSentence } from '../../src/engine/book/names.ts'
import type { VatId } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const US = { country: 'US', region: 'NY' }
const COUNTRIES = readFacts().countries.flatMap(({ id, law }) =>
  law === undefined ? [] : [[id, law] as const],
)
const stream = [{ amount: 10_000, product_type: 'streaming' }]
/** The law of each country is in force. */
const DAY = '2026-11-15'
const firstLine = (words: SaleInWords) => assessed({ day: DAY, ...words }).lines[0]
const buys = (country: string, vat_id: VatId | null) => ({
  address: { country },
  type: 'business' as const,
  vat_id,
})

describe.each(COUNTRIES)('%s', (country, { name }) => {
  const to = { country }

  it('taxes a stream that a registered seller abroad sells to a consumer', () => {
    expect(firstLine({ from: US, to, registrations: [country], lines: stream })).toMatchObject({
      jurisdiction_id: country,
      taxable: true,
    })
  })

  it.each([
    ['a sale within the country', { from: to, to, lines: stream }],
    [
      'consulting from abroad',
      { from: US, to, lines: [{ amount: 1, product_type: 'professional_services' }] },
    ],
    ['a meal', { from: US, to, lines: [{ amount: 100, product_type: 'prepared_food' }], supply_address: to }],
  ])('does not cover %s, and says what it covers', (_, words) => {
    const { lines, notes } = assessed({ registrations: [country], ...words })
    expect(lines[0]).toMatchObject({ tax_amount: 0, taxability_reason: 'not_supported' })
    expect(notes.join()).toContain(
      `In ${nameInSentence(name)}, this service covers only digital services of sellers abroad`,
    )
  })

  it('says nothing of sales into other countries', () => {
    const sold = firstLine({ from: to, to: { country: 'DE' }, registrations: [], lines: stream })
    expect(sold).toMatchObject({ jurisdiction_id: 'DE', taxability_reason: 'not_collecting' })
  })
})

it.each([
  ['TW', 'reverse_charge'],
  ['BH', 'reverse_charge'],
  ['TR', 'reverse_charge'],
  ['ZA', null],
  ['MY', null],
  ['MX', null],
])('%s: a business with a good id pays %s', (country, reason) => {
  const customer = buys(country, { country, good: true, invalid: false })
  const line = firstLine({ from: US, to: { country }, registrations: [country], lines: stream, customer })
  expect(line?.taxability_reason).toBe(reason)
})

it('charges a Chilean buyer whose number everybody has', () => {
  const chile = (vat_id: VatId) =>
    firstLine({
      from: US,
      to: { country: 'CL' },
      registrations: ['CL'],
      lines: stream,
      customer: buys('CL', vat_id),
    })
  const rut = { country: 'CL', good: true, invalid: false }
  expect(chile({ ...rut, worth: 'nothing' })?.tax_amount).toBe(1_900)
  expect(chile(rut)?.taxability_reason).toBe('reverse_charge')
})

it('tells a South African business what may free the sale, from its first day', () => {
  const said = expect.stringContaining('all its customers there are registered vendors')
  const sold = (day: string) =>
    assessed({
      from: US,
      to: { country: 'ZA' },
      day,
      registrations: ['ZA'],
      lines: stream,
      customer: buys('ZA', null),
    })
  expect(sold('2025-03-31').notes).not.toContainEqual(said)
  expect(sold('2025-04-01').notes).toContainEqual(said)
  expect(sold('2025-04-01').tax_amount).toBe(1_500)
})

describe('goods to Chile', () => {
  const parcel = (amount: number, currency: string, day = '2025-10-25') =>
    assessed({
      from: { country: 'CN' },
      to: { country: 'CL' },
      currency,
      day,
      registrations: ['CL'],
      lines: [{ amount }],
    })

  it('are taxed at the sale up to 500 USD, from the first day of that law', () => {
    expect(parcel(50_000, 'USD').tax_amount).toBe(9_500)
    expect(parcel(50_001, 'USD').tax_amount).toBe(0)
    expect(parcel(50_000, 'USD', '2025-10-24').tax_amount).toBe(0)
  })

  it('in pesos are compared with the limit at an indicative rate, and a note says so', () => {
    const said = expect.stringContaining('limit in another currency at an indicative exchange rate')
    expect(parcel(400_000, 'CLP')).toMatchObject({
      tax_amount: 76_000,
      notes: expect.arrayContaining([said]),
    })
    expect(parcel(500_000, 'CLP')).toMatchObject({ tax_amount: 0, notes: expect.arrayContaining([said]) })
  })
})

it.each(['TW', 'BH', 'OM', 'MX'])(
  '%s: who accounts for sales of a marketplace is not in the data',
  (country) => {
    const { notes } = assessed({
      from: US,
      to: { country },
      registrations: [country],
      marketplace: 'facilitated',
      lines: stream,
    })
    expect(notes.join()).toContain('The data does not say whether the marketplace')
  },
)
