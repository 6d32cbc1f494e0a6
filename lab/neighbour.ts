import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './bench/measure.ts'

/** What a neighbour sends again and again. `status` is that of a good answer. */
type Habit = { name: string; path: string; body: object; status: number; pause_ms: number }

const CART = {
  customer: { address: { country: 'DE', postal_code: '10115' } },
  currency: 'EUR',
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}

export const CALCULATES: Habit = {
  name: 'calculation',
  path: '/v1/calculate',
  body: CART,
  status: 200,
  pause_ms: 20,
}

export const SELLS: Habit = {
  name: 'sale',
  path: '/v1/transactions',
  body: {
    ...CART,
    line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
  },
  status: 201,
  pause_ms: 100,
}

type Neighbour = {
  start: (origin: string) => void
  stop: () => Promise<void>
  /** What did not succeed at the first time. */
  faults: string[]
  /** Milliseconds of each request. */
  times: number[]
  /** The number of requests, and their times. */
  report: () => string
}

/** A tenant who records a sale every 100 ms, or has another habit, while the service runs. */
export function makeNeighbour(key: string, habit: Habit = SELLS): Neighbour {
  const faults: string[] = []
  const times: number[] = []
  let sending = Promise.resolve()
  let stopped = false
  const send = async (origin: string) => {
    const sent: Promise<void>[] = []
    while (!stopped) {
      sent.push(
        sendOne(origin, key, habit).then(({ ms, fault }) => {
          times.push(ms)
          if (fault !== null) faults.push(fault)
        }),
      )
      await sleep(habit.pause_ms)
    }
    await Promise.all(sent)
  }
  return {
    start: (origin) => {
      stopped = false
      sending = send(origin)
    },
    stop: async () => {
      stopped = true
      await sending
    },
    faults,
    times,
    report: () => {
      const sorted = times.toSorted((one, other) => one - other)
      const [middle, late, last] = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(0))
      const times_of = `p50 ${middle} ms, p95 ${late} ms, slowest ${last} ms`
      return `the neighbour: ${sorted.length} ${habit.name}s, ${times_of}`
    },
  }
}

/** Sends one request. Returns its milliseconds, and its fault or null. */
async function sendOne(
  origin: string,
  key: string,
  habit: Habit,
): Promise<{ ms: number; fault: string | null }> {
  const began = performance.now()
  const fault = await faultOf(origin, key, habit).catch((error: unknown) => `failed: ${String(error)}`)
  const ms = performance.now() - began
  return { ms, fault: fault === null ? null : `a ${habit.name} of the neighbour ${fault}` }
}

async function faultOf(origin: string, key: string, { path, body, status }: Habit): Promise<string | null> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return response.status === status ? null : `got ${response.status}: ${text.slice(0, 200)}`
}
