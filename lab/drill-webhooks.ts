import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/platform/database/ids.ts'
import { encryptSecret, newSecret, signatureOf } from '../src/notices/delivery/secrets.ts'
import { aloud } from '../scripts/progress.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { writeModules } from '../scripts/worker-modules.ts'
import { type Drilled, startDrilled } from './drilled.ts'
import { makeNeighbour } from './neighbour.ts'

/**
 * Sends events to subscribers in several shards, moves accounts between the shards, and kills and restarts
 * the service in between. Some receivers answer with errors, slowly, without end or not at all. At the end,
 * every good receiver must have every event, dead ones must be disabled after five attempts, nothing may be
 * overdue, and each sale that a neighbour recorded every 100 ms must have succeeded.
 */
const values = readOptions({
  subscribers: { type: 'string', default: '300' },
  events: { type: 'string', default: '12' },
  kills: { type: 'string', default: '3' },
  moves: { type: 'string', default: '1' },
  shards: { type: 'string', default: '3' },
  serve: { type: 'boolean', default: false },
})
const SUBSCRIBERS = Number(values.subscribers)
const EVENTS = Number(values.events)
const KILLS = Number(values.kills)
const SHARDS = Number(values.shards)
/** In each life, so many accounts move while events are delivered. */
const MOVES = SHARDS > 1 ? Number(values.moves) : 0
const ACCOUNTS = 30
/** A mover that was killed is followed soon. */
const LEASE_MS = 1_500
const ENCRYPTION_KEY = 'a key for the drill'
/** Of each hundred subscribers, the first ones behave like this. All others answer 200. */
const BEHAVIOURS = ['500', '301', 'hangs', 'resets', 'endless', 'slow']
const GOOD = new Set(['200', 'slow', 'endless'])
/** Accounts at home, without the old copies of those that moved. */
const AT_HOME = "JOIN accounts home ON home.id = webhook.account_id AND home.home = 'open'"
const EVERY_FIVE_MINUTES = '*/5 * * * *'
const state = mkdtempSync(join(tmpdir(), 'drill-webhooks-'))
const worker = join(state, 'worker')

/** How often each receiver got each event. */
const received = new Map<string, Map<string, number>>()
const faults: string[] = []
const secrets = new Map<string, string>()
const indexes = new Map<string, number>()
const accounts: string[] = []
const homes = new Map<string, number>()
let moved = 0

const receiver = createServer(
  (request, response) => void receive(request, response).catch(() => response.destroy()),
)
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const address = receiver.address()
const receiverPort = typeof address === 'object' && address !== null ? address.port : 0

try {
  const began = Date.now()
  writeModules(worker, await aloud('Building the Worker', () => buildWorker('src/worker.ts')))
  const service = await start()
  await drillSubscribers(service)
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(`${faults.length} faults in ${Math.round((Date.now() - began) / 1_000)} s`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  receiver.close()
  rmSync(state, { recursive: true, force: true })
}
process.exit()

/** Tells events to many subscribers, some of which fail, over several lives of the service. */
async function drillSubscribers(first: Drilled): Promise<void> {
  let service = first
  await subscribeAll(service)
  const neighbour = makeNeighbour((await service.newAccount('Neighbour', Math.min(1, SHARDS - 1))).key)
  for (let life = 0; life < KILLS; life += 1) {
    neighbour.start(service.origin)
    await makeEvents(service, Math.floor(EVENTS / (KILLS + 1)))
    await service.tick(EVERY_FIVE_MINUTES)
    await moveSome(service)
    await until(() => deliveries() > ((life + 1) * SUBSCRIBERS * EVENTS) / (KILLS + 2), 60_000)
    await neighbour.stop()
    service = await killDuringMove(service)
  }
  neighbour.start(service.origin)
  await makeEvents(service, EVENTS - Math.floor(EVENTS / (KILLS + 1)) * KILLS)
  await service.tick(EVERY_FIVE_MINUTES)
  await moveSome(service)
  await settle(service)
  await neighbour.stop()
  faults.push(...neighbour.faults)
  await inspectDeliveries(service)
  await service.kill()
  console.log(neighbour.report())
  console.log(`${deliveries()} deliveries, ${doubles()} duplicates, ${moved} moves`)
}

function behaviourOf(index: number): string {
  return BEHAVIOURS[index % 100] ?? '200'
}

/**
 * Writes the subscribers into the databases, because rate limits are not part of the drill. They name one
 * type of event: `*` contains webhook.disabled, so each dead webhook would tell all others of its account.
 */
async function subscribeAll(service: Drilled): Promise<void> {
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const shard = index % SHARDS
    const { account_id } = await service.newAccount(`Drill ${index}`, shard)
    accounts.push(account_id)
    homes.set(account_id, shard)
  }
  const rows = new Map<number, object[]>()
  for (let index = 0; index < SUBSCRIBERS; index += 1) {
    const id = newId('wh')
    const secret = newSecret()
    secrets.set(id, secret)
    indexes.set(id, index)
    const account_id = accounts[index % ACCOUNTS] ?? ''
    const shard = homes.get(account_id) ?? 0
    const url = `http://127.0.0.1:${receiverPort}/${behaviourOf(index)}/${id}`
    const sealed = await encryptSecret({ ENCRYPTION_KEY }, id, secret)
    rows.set(shard, [...(rows.get(shard) ?? []), { id, account_id, url, secret: sealed }])
  }
  const sql = `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
    SELECT value ->> 'id', value ->> 'account_id', value ->> 'url', '["sync.completed"]', 'active',
      value ->> 'secret',
      '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM json_each(?)`
  for (const [shard, all] of rows)
    for (let from = 0; from < all.length; from += 1_000)
      await service.batch(shard, [{ sql, values: [JSON.stringify(all.slice(from, from + 1_000))] }])
}

async function makeEvents(service: Drilled, count: number): Promise<void> {
  const data = JSON.stringify({ region: 'AU', records_updated: 1, duration_ms: 1 })
  // A minute ago, so that the sweep finds them as events with a lost message.
  const at = new Date(Date.now() - 61_000).toISOString()
  const events = Array.from({ length: count }, () => newId('evt'))
  const sql = `INSERT INTO events (id, type, data, created_at)
    SELECT value, 'sync.completed', ?2, ?3 FROM json_each(?1)`
  await service.batch(0, [{ sql, values: [JSON.stringify(events), data, at] }])
}

/** Moves accounts to another shard while their events are delivered. */
async function moveSome(service: Drilled): Promise<void> {
  for (let count = 0; count < MOVES; count += 1) {
    const account_id = nextToMove()
    const to = otherShard(account_id)
    const { rows, refused_ms } = await service.move(account_id, to)
    homes.set(account_id, to)
    moved += 1
    console.log(`moved ${rows} rows to shard ${to}; writes were refused for ${refused_ms} ms`)
  }
}

/** Each account moves once, because the old copy stays for an hour. */
function nextToMove(): string {
  const next = accounts.shift()
  if (next === undefined) throw new Error('All accounts have moved')
  return next
}

function otherShard(account_id: string): number {
  return 1 + ((homes.get(account_id) ?? 0) % (SHARDS - 1))
}

/** Ends the move of a killed mover, as soon as its lease is over. */
async function endMove(service: Drilled, account_id: string, to: number): Promise<void> {
  for (;;) {
    const fault = await service.move(account_id, to, LEASE_MS).then(
      () => 'already there',
      (error: unknown) => String(error),
    )
    if (fault.includes('already')) return
    if (!fault.includes('Another process')) return void faults.push(`the move did not go on: ${fault}`)
    await sleep(200)
  }
}

/** Kills the service, if there are shards in the middle of a move. The same command then ends the move. */
async function killDuringMove(service: Drilled): Promise<Drilled> {
  const account_id = SHARDS > 1 ? nextToMove() : null
  const to = account_id === null ? 0 : otherShard(account_id)
  const moving = account_id === null ? null : service.move(account_id, to, LEASE_MS).catch(() => null)
  await sleep(150)
  await service.kill()
  await moving
  console.log(`killed after ${deliveries()} deliveries`)
  const next = await start()
  if (account_id !== null) {
    await endMove(next, account_id, to)
    homes.set(account_id, to)
    moved += 1
  }
  return next
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, behaviour = '', id = ''] = (request.url ?? '').split('/')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const event = String(request.headers['x-service-event-id'])
  const signature = await signatureOf(
    secrets.get(id) ?? '',
    Number(request.headers['x-service-timestamp']),
    body,
  )
  if (signature !== request.headers['x-service-signature']) faults.push(`${id}: the signature is wrong`)
  const counts = received.get(id) ?? new Map<string, number>()
  counts.set(event, (counts.get(event) ?? 0) + 1)
  received.set(id, counts)
  switch (behaviour) {
    case '500':
      return void response.writeHead(500).end()
    case '301':
      return void response
        .writeHead(301, { Location: `http://127.0.0.1:${receiverPort}/200/elsewhere` })
        .end()
    case 'resets':
      return void request.socket.destroy()
    case 'hangs':
      return
    case 'slow':
      return void setTimeout(() => response.end('late'), 8_000)
    case 'endless':
      return pour(response)
    default:
      return void response.end('ok')
  }
}

/** Sends a gigabyte, as fast as the client reads it. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000)
  let left = 1_000
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

/** Fires the cron trigger until no delivery is open, or their number has not fallen for two minutes. */
async function settle(service: Drilled): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  let fell = Date.now()
  for (;;) {
    await service.tick(EVERY_FIVE_MINUTES)
    const open = await openDeliveries(service)
    console.log(`${open} deliveries open`)
    if (open < fewest) {
      fewest = open
      fell = Date.now()
    }
    if (open === 0 || Date.now() - fell > 120_000) return
    await sleep(5_000)
  }
}

/** The rows of a query in all shards. */
async function inShards(service: Drilled, sql: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let shard = 0; shard < SHARDS; shard += 1)
    all.push(...((await service.batch(shard, [{ sql, values: [] }]))[0] ?? []))
  return all
}

/** The number of events and deliveries that still wait for an active webhook. */
async function openDeliveries(service: Drilled): Promise<number> {
  const rows = await inShards(
    service,
    `SELECT (SELECT count(*) FROM events WHERE fanned_out_at IS NULL)
       + (SELECT count(*) FROM webhook_deliveries delivery
          JOIN webhooks webhook ON webhook.id = webhook_id ${AT_HOME}
          WHERE delivery.status = 'pending' AND webhook.status = 'active') AS open`,
  )
  return rows.reduce((sum, { open }) => sum + Number(open), 0)
}

async function inspectDeliveries(service: Drilled): Promise<void> {
  const hooks = await inShards(
    service,
    `SELECT webhook.id, url, status, consecutive_failures FROM webhooks webhook ${AT_HOME}`,
  )
  const disabled = await inShards(service, "SELECT id FROM audit_events WHERE action = 'webhook.disabled'")
  if (hooks.length !== SUBSCRIBERS) faults.push(`${hooks.length} webhooks of ${SUBSCRIBERS} are at home`)
  let dead = 0
  for (const hook of hooks) dead += inspectHook(hook) ? 1 : 0
  if (received.has('elsewhere')) faults.push('a redirect was followed')
  const events = new Set(disabled.map(({ id }) => id)).size
  if (events !== dead) faults.push(`${events} audit events for ${dead} disabled webhooks`)
  if (doubles() > 0.01 * SUBSCRIBERS * EVENTS) faults.push(`${doubles()} duplicates are more than 1 %`)
  if (KILLS === 0 && doubles() > 0) faults.push(`${doubles()} duplicates without a kill`)
}

/** Whether the receiver of a webhook is dead. */
function inspectHook({ id, url, status, consecutive_failures }: Record<string, unknown>): boolean {
  const behaviour = String(url).split('/').at(-2) ?? ''
  const counts = received.get(String(id)) ?? new Map<string, number>()
  const name = `${String(id)} (${behaviour})`
  if (GOOD.has(behaviour)) {
    if (counts.size !== EVENTS) faults.push(`${name} has ${counts.size} of ${EVENTS} events`)
    if (status !== 'active') faults.push(`${name} is ${String(status)}`)
    return false
  }
  if (EVENTS < 5) return status === 'disabled'
  if (status !== 'disabled' || consecutive_failures !== 5)
    faults.push(`${name} is ${String(status)} after ${String(consecutive_failures)} failures`)
  const attempts = [...counts.values()].reduce((sum, count) => sum + count, 0)
  // Attempts during a kill are not recorded as failures. Up to five attempts hang at the same time, and such
  // a burst is one failure.
  const most = behaviour === 'hangs' ? 9 + 5 * KILLS : 5 + KILLS
  if (attempts < 5 || attempts > most) faults.push(`${name} got ${attempts} attempts`)
  return true
}

function deliveries(): number {
  return [...received.values()].reduce((sum, counts) => sum + counts.size, 0)
}

/** How often good receivers got an event again. */
function doubles(): number {
  return [...received].reduce((sum, [id, counts]) => {
    const extra = [...counts.values()].reduce((more, count) => more + count - 1, 0)
    return sum + (GOOD.has(behaviourOfId(id)) ? extra : 0)
  }, 0)
}

function behaviourOfId(id: string): string {
  return behaviourOf(indexes.get(id) ?? SUBSCRIBERS)
}

async function until(holds: () => boolean, at_most_ms: number): Promise<void> {
  const began = Date.now()
  while (!holds() && Date.now() - began < at_most_ms) await sleep(50)
}

/** Starts the service with the state of its previous life. */
function start(): Promise<Drilled> {
  const variables = {
    ENVIRONMENT: 'test',
    ALLOW_LOCAL_WEBHOOKS: 'true',
    WEBHOOK_RETRY_DELAYS: '2,2,2,2,2',
    RATE_LIMITS: 'off',
    ENCRYPTION_KEY,
    // The drill has no network. The tick also starts collectors, and with these addresses they fail at once.
    ...Object.fromEntries(
      ['EU_RATES', 'UK_RATES', 'CA_RATES', 'AU_GST'].map((name) => [`SOURCE_${name}`, 'http://127.0.0.1:9/']),
    ),
  }
  const options = { worker, state: join(state, 'data'), shards: SHARDS - 1, variables, served: values.serve }
  return aloud('Starting the service', () => startDrilled(options))
}
