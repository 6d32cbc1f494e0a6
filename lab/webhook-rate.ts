import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/platform/database/ids.ts'
import { encryptSecret, newSecret } from '../src/webhooks/delivery/secrets.ts'
import { percentile } from './bench/measure.ts'
import type { Drilled } from './drilled.ts'
import { sellOne } from './neighbour.ts'

/** The free tenant may have so many deliveries in the day of the drill. */
export const QUOTA = 50
/** The drill ends when no event has arrived for so long. */
const QUIET_MS = 60_000
const EVERY_FIVE_MINUTES = '*/5 * * * *'

/** A tenant with a webhook for each of its sales. `due`: the deliveries that its quota allows. */
type Seller = { name: string; id: string; account_id: string; key: string; shard: number; a_second: number }

type Drill = {
  service: Drilled
  /** Sales a second of the busy tenant. */
  rate: number
  seconds: number
  encryption_key: string
}

/**
 * Records sales at a rate while a tenant in another shard waits for its events, and a free tenant beside the
 * busy one reaches its quota of deliveries. Counts sales, deliveries and POSTs, and the times between a sale
 * and its event. Returns the faults: a lost or doubled event, a quota that does not hold, a failed sale.
 */
export async function drillRate({ service, rate, seconds, encryption_key }: Drill): Promise<string[]> {
  const received = new Map<string, Map<string, number[]>>()
  const server = createServer((request, response) => void receive(received, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const make = async (name: string, shard: number, a_second: number): Promise<Seller> => {
    const account = await service.newAccount(name, shard)
    const id = await subscribe(service, shard, account.account_id, { origin, encryption_key })
    return { ...account, name, id, shard, a_second }
  }
  const sellers = [
    await make('busy', 1, rate),
    await make('waiting', 2, 10),
    await make('free, over its quota', 1, 2),
  ]
  const free = sellers[2]?.account_id ?? ''
  for (const shard of [0, 1])
    await service.batch(shard, [{ sql: "UPDATE accounts SET tier = 'free' WHERE id = ?", values: [free] }])
  const until = Date.now() + seconds * 1_000
  const sales = await Promise.all(sellers.map((seller) => sell(service.origin, seller, until)))
  const allowed = sales.map(({ made }, index) => (index === 2 ? Math.min(made, QUOTA) : made))
  const arrived = () => sellers.map(({ id }) => received.get(id)?.size ?? 0)
  const stopped = Date.now()
  console.log(`${sum(arrived())} of ${sum(allowed)} deliveries have arrived when the sales end`)
  let [most, grew] = [0, stopped]
  while (Date.now() - grew < QUIET_MS && arrived().some((count, index) => count < (allowed[index] ?? 0))) {
    await sleep(500)
    const now = sum(arrived())
    if (now > most) [most, grew] = [now, Date.now()]
  }
  const settled_ms = Date.now() - stopped
  await service.tick(EVERY_FIVE_MINUTES)
  await sleep(2_000)
  server.close()
  console.log(`All that arrived did so ${Math.round(settled_ms / 1_000)} s after the last sale`)
  const faults: string[] = []
  for (const [index, seller] of sellers.entries()) {
    const { made, faults: failed } = sales[index] ?? { made: 0, faults: [] }
    const events = received.get(seller.id) ?? new Map<string, number[]>()
    const counted = await countedDeliveries(service, seller)
    report(seller, made, seconds, events, counted)
    faults.push(...failed, ...faultsOf(seller, allowed[index] ?? 0, events, counted))
  }
  return faults
}

/** Writes a webhook for sales into a shard, because rate limits are not part of the drill. */
async function subscribe(
  service: Drilled,
  shard: number,
  account_id: string,
  { origin, encryption_key }: { origin: string; encryption_key: string },
): Promise<string> {
  const id = newId('wh')
  const secret = await encryptSecret({ ENCRYPTION_KEY: encryption_key }, id, newSecret())
  const at = '2026-01-01T00:00:00.000Z'
  const sql = `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
    VALUES (?1, ?2, ?3, '["transaction.created"]', 'active', ?4, ?5, ?5)`
  await service.batch(shard, [{ sql, values: [id, account_id, `${origin}/${id}`, secret, at] }])
  return id
}

/** Sells at a steady pace, without waiting for answers. Returns the sales that succeeded, and the faults. */
async function sell(
  origin: string,
  { key, name, a_second }: Seller,
  until: number,
): Promise<{ made: number; faults: string[] }> {
  const sales: Promise<string | null>[] = []
  const began = Date.now()
  while (Date.now() < until) {
    sales.push(sellOne(origin, key).then(({ fault }) => fault))
    await sleep(Math.max(0, began + (sales.length * 1_000) / a_second - Date.now()))
  }
  const faults = (await Promise.all(sales)).filter((fault) => fault !== null)
  return { made: sales.length - faults.length, faults: faults.map((fault) => `${name}: ${fault}`) }
}

/** Keeps how long after its sale each event came. */
async function receive(
  received: Map<string, Map<string, number[]>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  response.end('ok')
  const { id, timestamp }: { id: string; timestamp: string } = JSON.parse(text)
  const webhook = (request.url ?? '').slice(1)
  const events = received.get(webhook) ?? new Map<string, number[]>()
  events.set(id, [...(events.get(id) ?? []), Date.now() - Date.parse(timestamp)])
  received.set(webhook, events)
}

/** The deliveries of an account by its counter of the day, and by its rows. */
async function countedDeliveries(
  service: Drilled,
  { account_id, shard }: Seller,
): Promise<{ counter: number; rows: number }> {
  const sql = `SELECT (SELECT deliveries FROM account_usage WHERE account_id = ?1) AS counter,
    (SELECT count(*) FROM webhook_deliveries WHERE account_id = ?1) AS row_count`
  const [rows] = await service.batch(shard, [{ sql, values: [account_id] }])
  return { counter: Number(rows?.[0]?.['counter']), rows: Number(rows?.[0]?.['row_count']) }
}

function report(
  { name, shard }: Seller,
  made: number,
  seconds: number,
  events: ReadonlyMap<string, readonly number[]>,
  { rows }: { rows: number },
): void {
  const delays = [...events.values()].map(([first = 0]) => first).toSorted((one, other) => one - other)
  const [middle, late, last] = [0.5, 0.95, 1].map((share) => Math.round(percentile(delays, share)))
  const posts = sum([...events.values()].map(({ length }) => length))
  console.log(
    `${name} (shard ${shard}): ${made} sales, ${(made / seconds).toFixed(1)} a second; ${rows} deliveries, ` +
      `${events.size} arrived by ${posts} POSTs; after p50 ${middle} ms, p95 ${late} ms, last ${last} ms`,
  )
}

function faultsOf(
  { name }: Seller,
  allowed: number,
  events: ReadonlyMap<string, readonly number[]>,
  { counter, rows }: { counter: number; rows: number },
): string[] {
  const doubled = [...events.values()].filter(({ length }) => length > 1).length
  return [
    ...(events.size === allowed ? [] : [`${name}: ${events.size} of ${allowed} events arrived`]),
    ...(rows === allowed ? [] : [`${name}: ${rows} deliveries instead of ${allowed}`]),
    ...(counter === allowed ? [] : [`${name}: the quota counts ${counter} deliveries instead of ${allowed}`]),
    ...(doubled === 0 ? [] : [`${name}: ${doubled} events arrived more than once`]),
  ]
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
