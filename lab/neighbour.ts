import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './bench/measure.ts'

const PAUSE_MS = 100

export type Neighbour = {
  start: (origin: string) => void
  stop: () => Promise<void>
  /** Sales that did not succeed at the first time. */
  faults: string[]
  /** The number of sales, and their times. */
  report: () => string
}

/** A tenant who records a sale every 100 ms while the service runs. */
export function makeNeighbour(key: string): Neighbour {
  const faults: string[] = []
  const times: number[] = []
  let selling = Promise.resolve()
  let stopped = false
  const sell = async (origin: string) => {
    const sales: Promise<void>[] = []
    while (!stopped) {
      const began = Date.now()
      const sale = sellOne(origin, key).then((fault) => {
        times.push(Date.now() - began)
        if (fault !== null) faults.push(fault)
      })
      sales.push(sale)
      await sleep(PAUSE_MS)
    }
    await Promise.all(sales)
  }
  return {
    start: (origin) => {
      stopped = false
      selling = sell(origin)
    },
    stop: async () => {
      stopped = true
      await selling
    },
    faults,
    report: () => {
      const sorted = times.toSorted((one, other) => one - other)
      const [middle, late, last] = [percentile(sorted, 0.5), percentile(sorted, 0.95), sorted.at(-1) ?? 0]
      return `the neighbour: ${sorted.length} sales, p50 ${middle} ms, p95 ${late} ms, slowest ${last} ms`
    },
  }
}

/** Records a sale. Returns the fault, or null. */
async function sellOne(origin: string, key: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/v1/transactions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        customer: { address: { country: 'DE', postal_code: '10115' } },
        currency: 'EUR',
        line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
      }),
    })
    const text = await response.text()
    return response.status === 201 ? null : `a sale of the neighbour got ${response.status}: ${text}`
  } catch (error) {
    return `a sale of the neighbour failed: ${String(error)}`
  }
}
