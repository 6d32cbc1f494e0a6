import { expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import { decideCollection } from '../../src/engine/answer/decide.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { Refusal } from '../../src/engine/ground/refusal.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import type { Address } from '../../src/engine/sale/sale.ts'
import type { Sales } from '../../src/engine/terms/thresholds.ts'
import { book, saleOf, type SaleInWords } from './sale.ts'

/**
 * What people read of an answer names places and products by their names, and writes money as `€189.00`. A
 * threshold of nothing is any sale.
 */

const local = openLocalBook(readLocalData('test'))

const IDS = [...book.jurisdictions.keys()]
const COUNTRIES = [...IDS.filter((id) => id.length === 2), 'BR']
const CURRENCIES = [...book.exchange_rates.keys()]

/** Types whose code is no word. */
const TYPES = PRODUCT_TYPE_IDS.filter((id) => /_|saas|ebooks|otc/.test(id))

/** The code of a place or a product, an amount before the code of its currency, or bare minor units. */
const CODED = new RegExp(
  [
    String.raw`\b(?:${IDS.filter((id) => id.includes('-')).join('|')})\b`,
    String.raw`\b(?:in|of|for|to|from) (?:${COUNTRIES.join('|')})\b(?![-$])`,
    String.raw`\d (?:${CURRENCIES.join('|')})\b`,
    'minor unit',
    String.raw`\b(?:${TYPES.join('|')})\b`,
    String.raw`thresholds? of (?:[^.]* and )?\D{1,4}0(?:\.0+)?\b`,
  ].join('|'),
)

const TEXAS = { country: 'US', region: 'TX' }
const SELLERS: readonly Partial<SaleInWords>[] = [
  { from: { country: 'DE' }, registrations: [] },
  { from: TEXAS, registrations: [], ship_from: { country: 'FR' } },
  { from: { country: 'CA', region: 'BC' }, registrations: ['CA', 'US-CA', 'US-CO', 'DE', 'GB'] },
  { from: null },
]

/** The address of each place that the data has, and of one that it lacks. */
const ADDRESSES: readonly Address[] = [
  ...book.facts.jurisdictions
    .filter(({ id }) => !/-X-|-\d/.test(id))
    .map(({ id }) => {
      const [country = '', region] = id.split('-')
      return { country, ...(region !== undefined && { region }) }
    }),
  { country: 'BR' },
]

it('in all answers to a sale', () => {
  const coded = new Set<string>()
  for (const to of ADDRESSES)
    for (const seller of SELLERS)
      for (const product_type of PRODUCT_TYPE_IDS) {
        const words = { from: null, ...seller, to, currency: 'USD', lines: [lineOf(product_type)] }
        for (const said of sentencesOf(words)) if (CODED.test(said)) coded.add(said)
      }
  expect([...coded]).toEqual([])
})

function lineOf(product_type: string): SaleInWords['lines'][number] {
  return { amount: 600_000, product_type, discount: 100, funded_discount: 100, trade_in: 100 }
}

function sentencesOf(words: SaleInWords): string[] {
  return orRefused(() => saidBy(assessSale(saleOf(words), book, local)))
}

function saidBy({ notes, lines }: Assessment): string[] {
  return [...notes, ...lines.flatMap((line) => [...line.notes, line.reason_detail ?? ''])]
}

it('in all decisions on whether to collect', () => {
  const coded = new Set<string>()
  for (const { id, currency } of book.facts.jurisdictions)
    for (const seller of SELLERS)
      for (const amount of [0, 8_700_000, 999_999_999_999]) {
        const sales = { amount, currency: currency ?? 'USD', transaction_count: 150 }
        for (const said of decided(id, seller, sales)) if (CODED.test(said)) coded.add(said)
      }
  expect([...coded]).toEqual([])
})

function decided(id: string, words: Partial<SaleInWords>, sales: Sales): string[] {
  const place = placeOfJurisdiction(book, id)
  if (place === null || place.taxes.length === 0) return []
  const { seller, ...sale } = saleOf({ from: null, ...words, to: TEXAS, lines: [] })
  const question = { ...sale, customer_type: null, vat_id: null, product_type: null, price: null }
  const asked = { ...question, place, seller, exemptions: [], sales: () => sales }
  return orRefused(() => {
    const { explanation, doubts, reasons } = decideCollection(asked, book)
    return [explanation, ...doubts, ...reasons.map(({ detail }) => detail)]
  })
}

/** What is said, or why nothing is: both are for people. */
function orRefused(said: () => string[]): string[] {
  try {
    return said()
  } catch (thrown) {
    if (thrown instanceof Refusal) return [thrown.message]
    throw thrown
  }
}
