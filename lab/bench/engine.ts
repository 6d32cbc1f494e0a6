import { assessSale } from '../../src/engine/answer/assess.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { Sale } from '../../src/engine/sale/sale.ts'
import { plainSale } from '../../scripts/plain-sale.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { median } from './measure.ts'

const AT_ONCE = 1_000

/** Software as a service, sold by a German seller in the One Stop Shop to a consumer in France. */
function saleOf(amount: number): Sale {
  const seller = {
    address: { country: 'DE' },
    registrations: ['oss_union'],
    over_eu_threshold: true,
    small_business: false,
  }
  const to = { country: 'FR', postal_code: '75002' }
  return plainSale({ currency: 'EUR', day: '2026-06-15', seller, to }, { amount, product_type: 'saas' })
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
