import type { ArithmeticCase } from '../arithmetic-cases.ts'
import { FORMAT, type Deck, type SaleCase } from './deck.ts'

type Where = Pick<SaleCase, 'currency' | 'seller' | 'buyer'>

const at = (country: string, currency: string): Where => ({
  currency,
  seller: { country },
  buyer: { country },
})

const canadian = (region: string, ...registrations: string[]): Where => ({
  currency: 'CAD',
  seller: { country: 'CA', region, registrations },
  buyer: { country: 'CA', region },
})

/**
 * A service takes sales, not rates. So a case of arithmetic is put to it as a sale of goods at a place whose
 * rates are those of the case: millionths, joined by a blank. Other cases cannot be asked.
 */
const PLACES: Readonly<Record<string, Where>> = {
  '100000': at('AU', 'AUD'),
  '150000': at('NZ', 'NZD'),
  '190000': at('DE', 'EUR'),
  '200000': at('FR', 'EUR'),
  '210000': at('NL', 'EUR'),
  '230000': at('PL', 'EUR'),
  '130000': canadian('ON', 'CA'),
  '50000 70000': canadian('BC', 'CA', 'CA-BC'),
  '50000 99750': canadian('QC', 'CA', 'CA-QC'),
  '40000 45000 3750': {
    currency: 'USD',
    seller: { country: 'US', region: 'DE', registrations: ['US-NY'] },
    buyer: { country: 'US', region: 'NY', postal_code: '10001', city: 'New York' },
  },
}

/** The day on which the rates of these places were read. */
const AS_OF = '2026-11-21'

/** Cases of arithmetic as sales, and the ids of those that no place can ask. */
export function arithmeticSales(cases: readonly ArithmeticCase[]): { deck: Deck; without_place: string[] } {
  const asked = cases.map((each) => ({ id: each.id, sale: saleOf(each) }))
  return {
    deck: {
      format: FORMAT,
      title: 'Arithmetic as sales',
      as_of: AS_OF,
      cases: asked.flatMap(({ sale }) => sale ?? []),
    },
    without_place: asked.filter(({ sale }) => sale === null).map(({ id }) => id),
  }
}

function saleOf({ id, rounding, lines, expected }: ArithmeticCase): SaleCase | null {
  const kinds = new Set(lines.map(({ rates, tax_behavior }) => `${rates.join(' ')}, ${tax_behavior}`))
  const [first] = lines
  if (first === undefined || kinds.size > 1) return null
  const where = PLACES[first.rates.join(' ')]
  const tax = expected?.tax ?? expected?.line_tax?.reduce((sum, each) => sum + each, 0)
  if (where === undefined || tax === undefined) return null
  return {
    id,
    kind: 'sale',
    description: 'A case of arithmetic as a sale',
    source: 'the rates in force at the place',
    confidence: 'high',
    date: AS_OF,
    ...where,
    prices: first.tax_behavior,
    rounding,
    lines: lines.map(({ amount }) => ({ product: 'physical_goods', amount })),
    expected: { tax, ...(expected?.line_tax !== undefined && { line_tax: expected.line_tax }) },
  }
}
