import autocannon from 'autocannon'
import { verifyTotals } from '../scripts/verify/totals.ts'
import { workerdMemory } from './bench/workerd.ts'
import { ANSWER_SECONDS_MAX, percentile } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { type RunningService, startService } from './service.ts'

/**
 * Sends a day's traffic in ten minutes, as fast as the machine allows. Of fifty requests, forty calculate,
 * five read rates, four record a sale and one lists sales. No request may fail, memory must not grow, and at
 * the end the books must match the answers exactly. Then it tests the limits of the tiers.
 */
const values = readOptions({
  minutes: { type: 'string', default: '10' },
  connections: { type: 'string', default: '20' },
  /** `calculate` or `record`: sends that request alone. */
  only: { type: 'string', default: '' },
  /** As `npm run serve` does. */
  serve: { type: 'boolean', default: false },
})
const served = values.serve
const seconds = Number(values.minutes) * 60
const connections = Number(values.connections)
const LIMITS = { free: 10, pro: 1_000, enterprise: 10_000 } as const

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['oss_union'] },
  customer: { address: { country: 'FR', postal_code: '75002' } },
  line_items: [{ amount: 1_999, product_type: 'saas' }],
}
const calculate = { method: 'POST', path: '/v1/calculate', body: JSON.stringify(SALE) } as const
const rates = { method: 'GET', path: '/v1/rates?jurisdiction=FR' } as const
const record = { method: 'POST', path: '/v1/transactions', body: JSON.stringify(SALE) } as const
const reads = [{ method: 'GET', path: '/v1/transactions?limit=20' }] as const
/** Ten times four calculations and one other request, so that heavy requests are spread. */
const MIX = [rates, record, rates, record, rates, record, rates, record, rates, ...reads].flatMap((other) => [
  ...Array(4).fill(calculate),
  other,
])

/** What the load consists of. */
const REQUESTS = { '': MIX, calculate: [calculate], record: [record] }[values.only] ?? MIX

const bundle = await buildWorker('src/worker.ts')
const faults: string[] = []
const lines = [...(await carry()), ...(values.only === '' ? ['', ...(await limit())] : [])]
console.log(`\n${lines.join('\n')}`)
for (const fault of faults) console.error(fault)
if (faults.length === 0 && values.only === '') report('load', lines, served ? 'own-machine' : 'benchmarks')
process.exit(faults.length === 0 ? 0 : 1)

async function carry(): Promise<string[]> {
  const service = await startService(bundle, { offline: true, served })
  try {
    const { key, account_id } = await service.newAccount('Load')
    const memory: number[] = []
    const watch = setInterval(() => memory.push(workerdMemory(service.pid)), (seconds * 1_000) / 20)
    const { times, statuses, duration, errors } = await drive(service.origin, key)
    clearInterval(watch)
    await checkBooks(service, account_id, statuses.get(201) ?? 0)
    for (const [status, count] of statuses) if (status >= 400) faults.push(`${count} answers of ${status}`)
    if (errors > 0) faults.push(`${errors} requests without an answer`)
    const [warm = 0] = memory.slice(2)
    if ((memory.at(-1) ?? 0) > warm * 1.3 + 50) faults.push(`memory grew: ${memory.join(' ')} MB`)
    const sent = `${thousands(times.length)} requests in ${Math.round(duration)} s`
    const speed = `${thousands(times.length / duration)} a second`
    const recorded = thousands(statuses.get(201) ?? 0)
    return [
      `${sent} over ${connections} connections: ${speed}, none failed.`,
      '',
      ...table(
        ['Latency', 'ms'],
        [0.5, 0.9, 0.99, 0.999, 1].map((share) => [
          share === 1 ? 'longest' : `p${share * 100}`,
          percentile(times, share).toFixed(2),
        ]),
      ),
      '',
      `Memory of workerd during the load, MB: ${memory.join(' ')}.`,
      `At the end there were ${recorded} transactions, and their sums agreed.`,
    ]
  } finally {
    await service.dispose()
  }
}

type Driven = { times: number[]; statuses: Map<number, number>; duration: number; errors: number }

async function drive(origin: string, key: string): Promise<Driven> {
  const times: number[] = []
  const statuses = new Map<number, number>()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const run = autocannon({
    url: origin,
    headers,
    requests: REQUESTS,
    connections,
    duration: seconds,
    timeout: ANSWER_SECONDS_MAX,
  })
  run.on('response', (_client, status, _bytes, ms) => {
    times.push(ms)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  const { duration, errors, timeouts } = await run
  times.sort((a, b) => a - b)
  return { times, statuses, duration, errors: errors + timeouts }
}

/** Checks the books. At the end of the run, each connection may have one recorded sale without an answer. */
async function checkBooks({ db }: RunningService, account_id: string, answered: number): Promise<void> {
  const recorded =
    (await db
      .prepare('SELECT count(*) AS n FROM transactions WHERE account_id = ?')
      .bind(account_id)
      .first<number>('n')) ?? 0
  if (recorded < answered || recorded > answered + connections)
    faults.push(`${answered} sales were answered, ${recorded} are recorded`)
  for (const { table: name, key, column, kept, recomputed } of await verifyTotals(db, account_id))
    faults.push(`${name} [${key}] ${column}: stored ${kept}, recomputed ${recomputed}`)
  const waiting = await db
    .prepare('SELECT count(*) AS n FROM events WHERE fanned_out_at IS NULL')
    .first<number>('n')
  if (waiting !== 0) faults.push(`${waiting} events are not sent`)
}

/** Each tier sends 20 % more requests than allowed in one minute of the limiter, all tiers at once. */
async function limit(): Promise<string[]> {
  const service = await startService(bundle, { offline: true, limits: true, served })
  try {
    const keys = { free: '', pro: '', enterprise: '' }
    for (const tier of ['free', 'pro', 'enterprise'] as const)
      keys[tier] = (await service.newAccount(`Load ${tier}`, tier)).key
    await new Promise((resolve) => setTimeout(resolve, 60_000 - (Date.now() % 60_000) + 100))
    const began = Date.now()
    const rows = await Promise.all(
      (['free', 'pro', 'enterprise'] as const).map(async (tier) => {
        const allowed = await countAllowed(
          service.origin,
          keys[tier],
          Math.ceil(LIMITS[tier] * 1.2),
          tier === 'enterprise' ? 16 : 2,
        )
        if (Math.abs(allowed / LIMITS[tier] - 1) > 0.05)
          faults.push(`${tier}: ${allowed} requests were allowed, the limit is ${LIMITS[tier]}`)
        return [tier, thousands(LIMITS[tier]), thousands(LIMITS[tier] * 1.2), thousands(allowed)]
      }),
    )
    if (Date.now() - began > 59_000)
      faults.push('the limits took more than one minute to measure: run it on a faster or idle machine')
    return table(['Tier', 'Limit a minute', 'Sent', 'Allowed'], rows)
  } finally {
    await service.dispose()
  }
}

async function countAllowed(origin: string, key: string, count: number, at_once: number): Promise<number> {
  let sent = 0
  let allowed = 0
  const send = async () => {
    while (sent++ < count) {
      const response = await fetch(`${origin}${calculate.path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: calculate.body,
      })
      await response.arrayBuffer()
      if (response.status === 200) allowed += 1
      else if (response.status !== 429 || response.headers.get('Retry-After') === null)
        faults.push(`a limited request got the answer ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: at_once }, send))
  return allowed
}
