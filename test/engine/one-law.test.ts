import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/engine/found/assessment.ts'
import { PRODUCT_TYPES, supplyKind } from '../../src/engine/book/product-types.ts'
import type { CollectQuestion } from '../../src/engine/answer/collect-question.ts'
import { decideCollection } from '../../src/engine/answer/decide.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import type { Address, Seller, VatId } from '../../src/engine/sale/sale.ts'
import { randomOf } from '../../lab/random.ts'
import { book, saleOf } from './sale.ts'

const DAY = '2026-06-15'

/** `npm run test:long` compares all sales. `npm test` compares an eighth, another one on each day. */
const ALL_SALES = process.env['ALL_SALES'] === 'yes'
const SHARE = ALL_SALES ? 1 : 8
const SEED = Number(process.env['SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''))

/** An address of each jurisdiction. A country whose tax is that of its states has no address of its own. */
const PLACES = book.facts.jurisdictions
  .filter(({ id, type }) => type !== 'country' || (id !== 'US' && id !== 'CA'))
  .map(({ id, currency }) => ({ id, currency, address: addressOf(id) }))

const SELLERS: readonly { name: string; at: (place: Address) => Address | null }[] = [
  { name: 'established there', at: (place) => place },
  { name: 'in Texas', at: () => ({ country: 'US', region: 'TX' }) },
  { name: 'in Ontario', at: () => ({ country: 'CA', region: 'ON' }) },
  { name: 'in Germany', at: () => ({ country: 'DE' }) },
  { name: 'in London', at: () => ({ country: 'GB' }) },
  { name: 'unknown', at: () => null },
]

type Registered = { name: string; registrations: (id: string) => string[] | null; stated: boolean | null }
const REGISTRATIONS: readonly Registered[] = [
  { name: 'nothing is known', registrations: () => null, stated: null },
  { name: 'unregistered', registrations: () => [], stated: null },
  { name: 'registered there', registrations: (id) => [id, id.slice(0, 2)], stated: null },
  {
    name: 'in all schemes',
    registrations: () => ['oss_union', 'oss_non_union', 'ioss'],
    stated: null,
  },
  { name: 'stated as registered', registrations: () => [], stated: true },
  { name: 'stated as unregistered', registrations: () => [], stated: false },
]

const CUSTOMERS: readonly { type: 'individual' | 'business'; vat_id: (id: string) => VatId | null }[] = [
  { type: 'individual', vat_id: () => null },
  { type: 'business', vat_id: () => null },
  { type: 'business', vat_id: (id) => ({ country: id.slice(0, 2), good: true, invalid: false }) },
  { type: 'business', vat_id: (id) => ({ country: id.slice(0, 2), good: false, invalid: true }) },
]

/**
 * Minor units on each side of every limit: 110, 175 and 250 dollars, 135 pounds, 150 euros, 1,000 dollars.
 */
const PRICES_OF_GOODS = [5_000, 12_000, 16_000, 20_000, 90_000, 110_000]
const ANY_PRICE = [5_000]

/** Kinds of sale for which the two answers may differ, each with the reason. */
type LeftOut = 'supplied elsewhere'
const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  'supplied elsewhere': 'a decision is about the place asked for, a calculation about the sale',
}

const SOLD: readonly string[] = PRODUCT_TYPES.map(({ id }) => id)

function addressOf(id: string): Address {
  const [country = id, ...region] = id.split('-')
  return region.length === 0 ? { country } : { country, region: region.join('-') }
}

type Case = {
  id: string
  currency: string
  address: Address
  seller: Seller
  stated: boolean | null
  type: 'individual' | 'business'
  vat_id: VatId | null
  product_type: string
  amount: number
}

function* casesOf(product_type: string): Generator<Case> {
  const prices = supplyKind(product_type) === 'goods' ? PRICES_OF_GOODS : ANY_PRICE
  for (const { id, currency, address } of PLACES)
    for (const { at } of SELLERS)
      for (const { registrations, stated } of REGISTRATIONS)
        for (const customer of CUSTOMERS)
          for (const amount of prices) {
            const seller = {
              address: at(address),
              registrations: registrations(id),
              over_eu_threshold: false,
              small_business: false,
            }
            const { type } = customer
            yield {
              id,
              currency,
              address,
              seller,
              stated,
              type,
              vat_id: customer.vat_id(id),
              product_type,
              amount,
            }
          }
}

function decided(each: Case): Decision {
  const question: CollectQuestion = {
    place: invariant(placeOfJurisdiction(book, each.id), `${each.id} exists`),
    seller: each.seller,
    seller_registered: each.stated,
    customer_type: each.type,
    vat_id: each.vat_id,
    ship_from: null,
    importer: null,
    supply_address: null,
    marketplace: null,
    exemptions: [],
    product_type: each.product_type,
    price: { amount: each.amount, currency: each.currency },
    day: DAY,
    sales: () => null,
  }
  const { collect, reason, must_register } = decideCollection(question, book)
  return { collect, reason, must_register }
}

function calculated(each: Case) {
  const sale = saleOf({
    from: each.seller.address,
    registrations: each.seller.registrations === null ? null : [...each.seller.registrations],
    to: each.address,
    currency: each.currency,
    day: DAY,
    supply_address: each.address,
    seller_registered: each.stated,
    lines: [{ amount: each.amount, product_type: each.product_type }],
  })
  const customer = { address: each.address, type: each.type, vat_id: each.vat_id }
  return assessSale({ ...sale, customer }, book)
}

/** Compares both answers; names the kind of sale if it is left out. */
function compare(each: Case): LeftOut | 'agree' | { calculated: Decision; decided: Decision } {
  const assessment = calculated(each)
  const decision = decided(each)
  const same = JSON.stringify(decision) === JSON.stringify(assessment.decision)
  if (same) return 'agree'
  if (!isSuppliedThere(each.id, assessment.jurisdiction_id)) return 'supplied elsewhere'
  return { calculated: assessment.decision, decided: decision }
}

/** Services in Northern Ireland are supplied in GB; a region of a member state may have the state's tax. */
function isSuppliedThere(id: string, place: string): boolean {
  return place === id || (id === 'XI' && place === 'GB')
}

const WHICH = ALL_SALES ? 'all sales' : `an eighth of the sales, SEED=${SEED}`

describe(`a calculation and a decision on the same sale: ${WHICH}`, { timeout: 300_000 }, () => {
  const random = randomOf(SEED)
  const counts = new Map<string, number>()

  it.each(SOLD)('agree for %s', (product_type) => {
    const differences: unknown[] = []
    for (const each of casesOf(product_type)) {
      if (random(SHARE) > 0) continue
      const found = compare(each)
      if (typeof found === 'string') counts.set(found, (counts.get(found) ?? 0) + 1)
      else differences.push({ ...found, each })
    }
    expect(differences.slice(0, 3), `${differences.length} differ`).toEqual([])
  })

  it('are compared for most sales, and each kind that is left out exists', () => {
    const all = [...counts.values()].reduce((a, b) => a + b, 0)
    expect(counts.get('agree')).toBeGreaterThan(all * 0.8)
    expect([...counts.keys()].toSorted()).toEqual(['agree', ...Object.keys(LEFT_OUT)].toSorted())
  })
})

describe('a price rule', () => {
  it.each([
    ['US-NY', 5_000, false],
    ['US-NY', 12_000, true],
    ['US-MA', 15_000, false],
    ['US-MA', 20_000, true],
    ['US-RI', 10_000, false],
    ['US-RI', 30_000, true],
  ])('decides on clothing in %s at %i cents', (id, amount, collect) => {
    const each: Case = {
      id,
      currency: 'USD',
      address: addressOf(id),
      seller: {
        address: addressOf('US-TX'),
        registrations: [id],
        over_eu_threshold: false,
        small_business: false,
      },
      stated: null,
      type: 'individual',
      vat_id: null,
      product_type: 'clothing',
      amount,
    }
    const reason = collect ? 'registered' : 'product_exempt'
    expect(decided(each)).toEqual({ collect, reason, must_register: false })
    expect(calculated(each).decision).toEqual(decided(each))
  })
})
