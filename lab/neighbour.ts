import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './bench/measure.ts'

/** The time between two sales. */
const PAUSE_MS = 100

type Neighbour = {
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
      sales.push(
        sellOne(origin, key).then(({ ms, fault }) => {
          times.push(ms)
          if (fault !== null) faults.push(fault)
        }),
      )
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
      const [middle, late, last] = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(0))
      return `the neighbour: ${sorted.length} sales, p50 ${middle} ms, p95 ${late} ms, slowest ${last} ms`
    },
  }
}

/** Records a sale. Returns its milliseconds, and its fault or null. */
async function sellOne(origin: string, key: string): Promise<{ ms: number; fault: string | null }> {
  const began = performance.now()
  const fault = await faultOfSale(origin, key).catch((error: unknown) => `failed: ${String(error)}`)
  return { ms: performance.now() - began, fault: fault === null ? null : `a sale of the neighbour ${fault}` }
}

async function faultOfSale(origin: string, key: string): Promise<string | null> {
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
  return response.status === 201 ? null : `got ${response.status}: ${text.slice(0, 200)}`
}
