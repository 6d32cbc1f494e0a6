import { assessSale } from '../../src/engine/answer/assess.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { Sale } from '../../src/engine/sale/sale.ts'
import { readFacts } from '../../scripts/read-facts.ts'
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
    importer: null,
    delivery: null,
    local_fallback: null,
    einvoice: null,
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
        exemptions: [],
        funded_discount: 0,
        trade_in: 0,
        bundle: [],
      },
    ],
    shipping: null,
    rounding: 'line',
    seller_registered: null,
    exemptions: [],
    explain: false,
  }
}

/** Full calculations a second on one core, each of another sale: the median of rounds after a warm-up. */
export function measureEngine(seconds: number): number {
  const book = openRateBook(readFacts())
  const speeds: number[] = []
  let amount = 0
  for (let round = 0; round < 6; round += 1) {
    const start = performance.now()
    const end = start + (seconds * 1000) / 6
    let done = 0
    for (; performance.now() < end; done += AT_ONCE)
      for (let index = 0; index < AT_ONCE; index += 1) {
        amount = (amount + 1) % 100_000
        if (assessSale(saleOf(amount + 100), book).rate_millionths !== 200_000)
          throw new Error('Wrong result: France has 20 % on software as a service')
      }
    speeds.push((done * 1000) / (performance.now() - start))
  }
  return median(speeds.slice(1))
}
