import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { at } from '../src/engine/ground/invariant.ts'
import { ATTACKS, largestBatch } from './attack/requests.ts'
import { percentile } from './bench/measure.ts'
import { PAUSE_MS, sellOne } from './neighbour.ts'
import { startService } from './service.ts'

/**
 * Attacks the service with one key of the free tier, as in the review of 2026-11-21, beside a neighbour that
 * records sales. First an hour's worth of the largest requests without the limiter, as if the clock were
 * moved: the bytes and rows must stay below the quotas, and each sale of the neighbour must succeed. Then the
 * true pace of 10 requests a minute, in turns with quiet: the neighbour's p95 may at most double.
 */
const { hours, turns, seconds } = readOptions({
  hours: { type: 'string', default: '1' },
  turns: { type: 'string', default: '4' },
  seconds: { type: 'string', default: '30' },
})
const REQUESTS_A_MINUTE = 10
/** 100,000 lines of at most 1 KB with their totals, and the other quotas of the free tier. */
const BYTES_MAX = 600_000_000

type Service = Awaited<ReturnType<typeof start>>
const faults: string[] = []

const bundle = await buildWorker('src/worker.ts')
await flood(Math.round(Number(hours) * 60 * REQUESTS_A_MINUTE))
await pace(Number(turns), Number(seconds))
for (const fault of faults) console.error(`FAULT: ${fault}`)
process.exit(faults.length > 0 ? 1 : 0)

async function start(limits: boolean) {
  const { origin, db, newAccount, dispose } = await startService(bundle, { offline: true, limits })
  const mallory = await newAccount('Mallory', 'free')
  const victim = await newAccount('Victim', 'pro')
  const attack = async (method: string, path: string, body: object): Promise<number> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${mallory.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  return { origin, db, mallory, victim, attack, dispose }
}

function p95Of(times: readonly number[]): number {
  return percentile(
    times.toSorted((a, b) => a - b),
    0.95,
  )
}

/** The size of a database. */
async function bytesOf(db: D1Database): Promise<number> {
  return (await db.prepare('SELECT 1').all()).meta.size_after
}

/** One sale of the neighbour, in milliseconds. */
async function neighbourSale({ origin, victim }: Service): Promise<number> {
  const { ms, fault } = await sellOne(origin, victim.key)
  if (fault !== null) faults.push(fault)
  return ms
}

/** So many requests of the attacker, each kind in turn, and a sale of the neighbour after every tenth. */
async function flood(requests: number): Promise<void> {
  const service = await start(false)
  const { db, mallory, attack } = service
  const before = await bytesOf(db)
  const statuses = new Map<string, number>()
  for (let index = 0; index < requests; index += 1) {
    const { name, request } = at(ATTACKS, index % ATTACKS.length)
    const { method, path, body } = await request(db, mallory.account_id)
    const status = await attack(method, path, body)
    statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1)
    if (status >= 500) faults.push(`${name} answered ${status}`)
    if (index % 10 === 9) await neighbourSale(service)
  }
  const bytes = (await bytesOf(db)) - before
  if (bytes > BYTES_MAX) faults.push(`the attacker stored ${bytes} bytes, of at most ${BYTES_MAX}`)
  console.log(
    JSON.stringify({ requests, stored_bytes: bytes, answers: Object.fromEntries(statuses) }, null, 2),
  )
  const over = await db
    .prepare('SELECT * FROM account_usage WHERE account_id = ? AND transaction_lines > 100000')
    .bind(mallory.account_id)
    .first()
  if (over !== null) faults.push('the attacker has more lines than the quota')
  await service.dispose()
}

/** The neighbour's sales alone and beside the attacker's true pace, in turns of some seconds. */
async function pace(count: number, length_s: number): Promise<void> {
  const service = await start(true)
  for (let warm = 0; warm < 50; warm += 1) await neighbourSale(service)
  const times: { alone: number[]; attacked: number[] } = { alone: [], attacked: [] }
  for (let turn = 0; turn < count; turn += 1)
    for (const kind of ['alone', 'attacked'] as const) {
      const end = Date.now() + length_s * 1_000
      const attack = kind === 'attacked' ? attackUntil(service, end) : Promise.resolve()
      while (Date.now() < end) {
        times[kind].push(await neighbourSale(service))
        await sleep(PAUSE_MS)
      }
      await attack
    }
  const p95 = { alone: p95Of(times.alone), attacked: p95Of(times.attacked) }
  const ratio = p95.attacked / p95.alone
  console.log(JSON.stringify({ sales: times.alone.length + times.attacked.length, p95_ms: p95, ratio }))
  if (ratio > 2) faults.push(`the neighbour's p95 is ${ratio.toFixed(2)} times its own alone`)
  await service.dispose()
}

/** Sends the largest batch every six seconds, as the limiter of the free tier allows. */
async function attackUntil({ attack }: Service, end: number): Promise<void> {
  while (Date.now() < end) {
    await attack('POST', '/v1/transactions/batch', largestBatch())
    await sleep(60_000 / REQUESTS_A_MINUTE)
  }
}
