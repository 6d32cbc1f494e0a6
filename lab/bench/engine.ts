import SalesTax from 'sales-tax'
import { assessSale } from '../../src/tax/assess.ts'
import { openRateBook } from '../../src/tax/book/rate-book.ts'
import type { Sale } from '../../src/tax/sale.ts'
import { at } from '../../src/tax/invariant.ts'
import { openLocalBook } from '../../src/tax/regimes/us-local/local-book.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { median } from './measure.ts'

const AT_ONCE = 1_000

/** Software as a service, sold by a German seller in the One Stop Shop to a consumer in France. */
function saleOf(amount: number): Sale {
  return {
    currency: 'EUR',
    day: '2026-06-15',
    seller: {
      address: { country: 'DE' },
      registrations: ['oss_union'],
      over_eu_threshold: true,
      small_business: false,
    },
    customer: { address: { country: 'FR', postal_code: '75002' }, type: 'individual', vat_id: null },
    ship_from: null,
    local_fallback: null,
    marketplace: null,
    supply_address: null,
    lines: [
      {
        amount,
        discount: 0,
        quantity: 1,
        product_type: 'saas',
        tax_behavior: 'exclusive',
        taxable: true,
        live: false,
      },
    ],
    shipping: null,
    rounding: 'line',
    seller_registered: null,
    exemptions: [],
    explain: false,
  }
}

/** Full calculations a second on one core, each of another sale. */
export function measureEngine(seconds: number): number {
  const book = openRateBook(readFacts())
  let amount = 0
  return perSecond(seconds, () => {
    for (let index = 0; index < AT_ONCE; index += 1) {
      amount = (amount + 1) % 100_000
      if (assessSale(saleOf(amount + 100), book).rate_millionths !== 200_000)
        throw new Error('Wrong result: France has 20 % on software as a service')
    }
  })
}

/** Goods from Delaware to addresses of four states, with taxes of the state, a county, a city and more. */
function localSales(): Sale[] {
  const { jurisdictions } = LOCAL
  const cities = [...jurisdictions.values()].filter(
    ({ state, zips }) => ['MN', 'CA', 'TX', 'GA'].includes(state) && zips.length > 0,
  )
  return cities.flatMap(({ state, name, zips }) =>
    zips.map((postal_code) => ({
      ...saleOf(0),
      currency: 'USD',
      seller: {
        address: { country: 'US', region: 'DE' },
        registrations: ['US-MN', 'US-CA', 'US-TX', 'US-GA'],
        over_eu_threshold: false,
        small_business: false,
      },
      customer: {
        address: { country: 'US', region: state, postal_code, city: name },
        type: 'individual' as const,
        vat_id: null,
      },
    })),
  )
}

const LOCAL = openLocalBook(readLocalData('bench'))

/** Full calculations a second with local taxes, on one core, of sales to that many addresses in turn. */
export function measureLocalEngine(seconds: number, addresses: number): number {
  const book = openRateBook(readFacts())
  const lines = [{ ...at(saleOf(10_000).lines, 0), product_type: 'physical_goods' as const }]
  const sales = localSales()
    .filter((sale) => at(assessSale({ ...sale, lines }, book, LOCAL).lines, 0).tax_breakdown.length > 1)
    .slice(0, addresses)
  if (sales.length < addresses) throw new Error(`There are only ${sales.length} addresses`)
  let [amount, parts] = [0, 0]
  return perSecond(seconds, () => {
    parts = 0
    for (let index = 0; index < AT_ONCE; index += 1) {
      amount = (amount + 1) % 100_000
      const sale = at(sales, amount % addresses)
      const line = { ...at(sale.lines, 0), amount: amount + 100, product_type: 'physical_goods' as const }
      const { lines } = assessSale({ ...sale, lines: [line] }, book, LOCAL)
      parts += at(lines, 0).tax_breakdown.length
    }
    if (parts < AT_ONCE * 2) throw new Error('Wrong result: these addresses have local taxes')
  })
}

/** Look-ups a second of the npm package sales-tax for the same sale. It only returns the rate. */
export async function measureSalesTax(seconds: number): Promise<number> {
  SalesTax.setTaxOriginCountry('DE')
  const speeds: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const end = performance.now() + (seconds * 1000) / 5
    const start = performance.now()
    let done = 0
    while (performance.now() < end) {
      for (let index = 0; index < AT_ONCE; index += 1) {
        const tax = await SalesTax.getAmountWithSalesTax('FR', null, 100 + index)
        if (tax.rate !== 0.2) throw new Error('Wrong result: France has 20 % on software as a service')
      }
      done += AT_ONCE
    }
    speeds.push((done * 1000) / (performance.now() - start))
  }
  return median(speeds)
}

/** The median speed of five rounds, after one warm-up round. */
function perSecond(seconds: number, work: () => void): number {
  const speeds: number[] = []
  for (let round = 0; round < 6; round += 1) {
    const start = performance.now()
    const end = start + (seconds * 1000) / 6
    let done = 0
    while (performance.now() < end) {
      work()
      done += AT_ONCE
    }
    speeds.push((done * 1000) / (performance.now() - start))
  }
  return median(speeds.slice(1))
}
