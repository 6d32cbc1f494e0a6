import { describe, expect, it } from 'vitest'
import { productRates } from '../../src/interfaces/pages/product-rates.ts'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { coverageOf, taxedPlaces } from '../../src/engine/answer/coverage.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { assessed, book } from '../engine/sale.ts'

const DAY = '2026-11-15'
const AMOUNT = 100_000_000
const placeNamed = (id: string) => invariant(placeOfJurisdiction(book, id), `${id} exists`)
const rowsOf = (id: string) => productRates(book, placeNamed(id), DAY)
const idOf = new Map(PRODUCT_TYPES.map(({ id, name }) => [name as string, id]))

/** `5 % GST + 9.975 % QST` in millionths; 0 for `no tax`. The tax on a part of the price is in brackets. */
function shownRate(rate: string, treatment: string): number {
  const all = [...rate.matchAll(/([\d.]+) %/g)].map(([, percent]) => Math.round(Number(percent) * 10_000))
  const [, part] = /on ([\d.]+) % of the price/.exec(treatment) ?? []
  const last = all.pop() ?? 0
  return all.reduce((sum, each) => sum + each, part === undefined ? last : (last * Number(part)) / 100)
}

const ADDRESSED = taxedPlaces(book).filter(({ jurisdiction_id }) =>
  /^[A-Z]{2}(-[A-Z]{2})?$/.test(jurisdiction_id),
)

/** What the engine charges on one product in millionths; null: the address is another place. */
function chargedRate(id: string, product_type: string, from_abroad: boolean): number | null {
  const [country = '', region] = id.split('-')
  const to = region === undefined ? { country } : { country, region }
  const from = from_abroad ? { country: country === 'DE' ? 'FR' : 'DE' } : to
  const sale = assessed({
    day: DAY,
    currency: invariant(book.jurisdictions.get(id) ?? null, 'it exists').currency,
    from,
    to,
    seller_registered: true,
    over_eu_threshold: true,
    lines: [{ amount: AMOUNT, product_type }],
  })
  return sale.customer_jurisdiction_id === id && sale.jurisdiction_id === id
    ? (sale.tax_amount / AMOUNT) * 1_000_000
    : null
}

describe('the products of the page of a place', () => {
  it('have the rates that the engine charges a consumer there', () => {
    const wrong: string[] = []
    let compared = 0
    for (const { jurisdiction_id: id, law } of ADDRESSED)
      for (const { rate, treatment, products } of rowsOf(id)) {
        if (treatment.includes('depends on the price')) continue
        for (const { name } of products) {
          const charged = chargedRate(id, idOf.get(name) ?? '', law.only !== undefined)
          if (charged === null) continue
          compared += 1
          if (Math.abs(charged - shownRate(rate, treatment)) > 1)
            wrong.push(`${id} ${name}: ${rate}, ${charged}`)
        }
      }
    // Chile taxes goods from abroad up to 500 USD, and this sale is larger.
    expect(wrong.filter((each) => !each.startsWith('CL '))).toEqual([])
    expect(compared).toBeGreaterThan(7_000)
  })

  it('are zero-rated, not exempt, where the law says so', () => {
    const products = (id: string, treatment: string) =>
      rowsOf(id)
        .filter((row) => row.treatment === treatment)
        .flatMap((row) => row.products.map(({ name }) => name))
    expect(products('GB', 'zero-rated')).toEqual(expect.arrayContaining(['Groceries', 'Books', 'Newspapers']))
    expect(products('GB', 'exempt')).toContain('Education')
    expect(products('GB', 'exempt')).not.toContain('Groceries')
    expect(products('CA-BC', 'GST zero-rated, PST exempt')).toContain('Groceries')
    expect(products('CA-BC', 'GST standard, PST standard on 30 % of the price')).toEqual([
      'Architectural and engineering services',
    ])
  })

  it('are no supply if they are vouchers, and the law has a rule on them', () => {
    const ofCard = (id: string) =>
      rowsOf(id).find((row) => row.products.some(({ name }) => name === 'Gift card'))
    for (const id of ['DE', 'GB', 'US-TX', 'CA-ON', 'AU', 'NZ'])
      expect(ofCard(id)).toMatchObject({ rate: 'no tax', products: [{ status: 'on_file' }] })
    expect(ofCard('JP')?.rate).toBe('10 %')
    expect(coverageOf(book, placeNamed('DE'), 'gift_card', DAY)).toMatchObject({
      status: 'on_file',
      from: '2019-01-01',
      confidence: null,
    })
    expect(coverageOf(book, placeNamed('DE'), 'gift_card', '2018-06-15').status).toBe('default')
  })

  it('bear no rate that nobody charges: in Samnaun, in India from abroad, in states without a tax', () => {
    const of = (id: string, treatment: string) => rowsOf(id).find((row) => row.treatment === treatment)
    expect(of('CH-X-SAMNAUN', 'outside the tax area for goods')?.rate).toBe('no tax')
    expect(of('IN', 'not charged by sellers abroad')?.products.map(({ name }) => name)).toContain(
      'Legal services',
    )
    expect(of('US-OR', 'no general tax here')?.rate).toBe('no state tax')
    expect(rowsOf('US-OR').some(({ rate }) => rate === '0 %')).toBe(false)
  })
})
