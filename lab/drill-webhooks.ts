import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../src/database/ids.ts'
import { insertEvents } from '../src/events/events.ts'
import { encryptSecret, newSecret, signatureOf } from '../src/webhooks/secrets.ts'
import { createAccountAndKey } from '../src/accounts/create-account-and-key.ts'
import { openLocal } from '../scripts/bindings.ts'
import { aloud } from '../scripts/progress.ts'
import { readOptions } from '../scripts/options.ts'
import { type Dev, killDev, startDev } from './start-dev.ts'

/**
 * Sends twenty events to a thousand subscribers, and kills and restarts the service in between. Some
 * receivers answer with errors, slowly, without end or not at all. At the end, every good receiver must have
 * every event, dead ones must be disabled after five attempts, and nothing may be overdue.
 */
const values = readOptions({
  subscribers: { type: 'string', default: '1000' },
  events: { type: 'string', default: '20' },
  kills: { type: 'string', default: '3' },
  port: { type: 'string', default: '8798' },
})
const SUBSCRIBERS = Number(values.subscribers)
const EVENTS = Number(values.events)
const ENCRYPTION_KEY = 'a key for the drill'
/** Of each hundred subscribers, the first ones behave like this. All others answer 200. */
const BEHAVIOURS = ['500', '301', 'hangs', 'resets', 'endless', 'slow']
const GOOD = new Set(['200', 'slow', 'endless'])
const origin = `http://127.0.0.1:${values.port}`
const state = mkdtempSync(join(tmpdir(), 'drill-webhooks-'))

/** How often each receiver got each event. */
const received = new Map<string, Map<string, number>>()
const faults: string[] = []
const secrets = new Map<string, string>()

const receiver = createServer(
  (request, response) => void receive(request, response).catch(() => response.destroy()),
)
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const address = receiver.address()
const receiverPort = typeof address === 'object' && address !== null ? address.port : 0

try {
  await subscribeAll()
  let service = await start()
  for (let life = 0; life < Number(values.kills); life += 1) {
    await makeEvents(Math.floor(EVENTS / (Number(values.kills) + 1)))
    await tick()
    await until(() => deliveries() > ((life + 1) * SUBSCRIBERS * EVENTS) / (Number(values.kills) + 2), 60_000)
    await killDev(service)
    console.log(`killed after ${deliveries()} deliveries`)
    service = await start()
  }
  await makeEvents(EVENTS - Math.floor(EVENTS / (Number(values.kills) + 1)) * Number(values.kills))
  await settle()
  await killDev(service)
  await inspect()
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(`${deliveries()} deliveries, ${doubles()} duplicates, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  receiver.close()
  rmSync(state, { recursive: true, force: true })
}
process.exit()

function behaviourOf(index: number): string {
  return BEHAVIOURS[index % 100] ?? '200'
}

/** Writes the subscribers into the database, because rate limits are not part of the drill. */
async function subscribeAll(): Promise<void> {
  const { db, dispose } = await openLocal(state)
  const { account_id } = await createAccountAndKey(
    db,
    { account: 'Drill', tier: 'enterprise', scopes: ['*'], sandbox: true },
    new Date(),
  )
  const now = new Date().toISOString()
  const rows: D1PreparedStatement[] = []
  for (let index = 0; index < SUBSCRIBERS; index += 1) {
    const id = newId('wh')
    const secret = newSecret()
    secrets.set(id, secret)
    const url = `http://127.0.0.1:${receiverPort}/${behaviourOf(index)}/${id}`
    rows.push(
      db
        .prepare(
          `INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
           VALUES (?, ?, ?, '["*"]', 'active', ?, ?, ?)`,
        )
        .bind(id, account_id, url, await encryptSecret({ ENCRYPTION_KEY }, id, secret), now, now),
    )
  }
  await db.batch(rows)
  await dispose()
}

/** Retries, because the database file may be locked by another process. */
async function withDatabase<Result>(use: (db: D1Database) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { db, dispose } = await openLocal(state)
      try {
        return await use(db)
      } finally {
        await dispose()
      }
    } catch (error) {
      if (attempt === 120) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

async function makeEvents(count: number): Promise<void> {
  const data = { region: 'AU', records_updated: 1, duration_ms: 1 }
  const events = Array.from({ length: count }, () => ({ type: 'sync.completed' as const, data }))
  // A minute ago, so that the sweep finds them as events with a lost message.
  const at = new Date(Date.now() - 61_000)
  await withDatabase((db) =>
    db.batch([
      ...insertEvents(db, events, at),
      db.prepare("UPDATE webhooks SET created_at = '2026-01-01T00:00:00.000Z'"),
    ]),
  )
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
      return void setTimeout(() => response.end('late'), 9_900)
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

/** Fires the cron trigger until no delivery is open, or their number has not fallen for ten minutes. */
async function settle(): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  let fell = Date.now()
  for (;;) {
    await tick()
    const open = await openDeliveries()
    console.log(`${open} deliveries open`)
    if (open < fewest) {
      fewest = open
      fell = Date.now()
    }
    if (open === 0 || Date.now() - fell > 600_000) return
    await new Promise((resolve) => setTimeout(resolve, 10_000))
  }
}

/** The number of events and deliveries that still wait for an active webhook. */
async function openDeliveries(): Promise<number> {
  const row = await withDatabase((db) =>
    db
      .prepare(
        `SELECT (SELECT count(*) FROM events WHERE fanned_out_at IS NULL)
           + (SELECT count(*) FROM webhook_deliveries delivery
              JOIN webhooks webhook ON webhook.id = webhook_id
              WHERE delivery.status = 'pending' AND webhook.status = 'active') AS open`,
      )
      .first<{ open: number }>(),
  )
  return row?.open ?? 0
}

async function inspect(): Promise<void> {
  const { db, dispose } = await openLocal(state)
  const { results } = await db
    .prepare('SELECT id, url, status, consecutive_failures FROM webhooks')
    .all<{ id: string; url: string; status: string; consecutive_failures: number }>()
  const disabled = await db
    .prepare("SELECT count(*) AS n FROM audit_events WHERE action = 'webhook.disabled'")
    .first<{ n: number }>()
  await dispose()
  let dead = 0
  for (const { id, url, status, consecutive_failures } of results) {
    const behaviour = url.split('/').at(-2) ?? ''
    const counts = received.get(id) ?? new Map<string, number>()
    if (GOOD.has(behaviour)) {
      if (counts.size !== EVENTS) faults.push(`${id} (${behaviour}) has ${counts.size} of ${EVENTS} events`)
      if (status !== 'active') faults.push(`${id} (${behaviour}) is ${status}`)
    } else {
      dead += 1
      if (status !== 'disabled' || consecutive_failures !== 5)
        faults.push(`${id} (${behaviour}) is ${status} after ${consecutive_failures} failures`)
      const attempts = [...counts.values()].reduce((sum, count) => sum + count, 0)
      // Attempts during a kill are not recorded as failures. Up to five attempts hang at the same time before
      // the first one fails.
      if (attempts < 5 || attempts > 5 + Number(values.kills) * (behaviour === 'hangs' ? 5 : 1))
        faults.push(`${id} (${behaviour}) got ${attempts} attempts`)
    }
  }
  if (received.has('elsewhere')) faults.push('a redirect was followed')
  if (disabled?.n !== dead) faults.push(`${disabled?.n} audit events for ${dead} disabled webhooks`)
  if (doubles() > 0.01 * SUBSCRIBERS * EVENTS) faults.push(`${doubles()} duplicates are more than 1 %`)
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
  return behaviourOf([...secrets.keys()].indexOf(id))
}

async function tick(): Promise<void> {
  await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`).catch(
    () => undefined,
  )
}

async function until(holds: () => boolean, at_most_ms: number): Promise<void> {
  const began = Date.now()
  while (!holds() && Date.now() - began < at_most_ms) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Starts the service with the state of its previous life. */
function start(): Promise<Dev> {
  const variables = {
    ALLOW_LOCAL_WEBHOOKS: 'true',
    WEBHOOK_RETRY_DELAYS: '2,2,2,2,2',
    ENCRYPTION_KEY,
    // The drill has no network. The tick also starts collectors, and with these addresses they fail at once.
    ...Object.fromEntries(
      ['EU_RATES', 'UK_RATES', 'CA_RATES', 'AU_GST'].map((name) => [`SOURCE_${name}`, 'http://127.0.0.1:9/']),
    ),
  }
  const flags = ['--port', values.port, '--persist-to', state, '--log-level', 'none']
  for (const [name, value] of Object.entries(variables)) flags.push('--var', `${name}:${value}`)
  return aloud('Starting the service', () => startDev(flags))
}
