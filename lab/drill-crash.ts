import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aloud } from '../scripts/progress.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { writeModules } from '../scripts/worker-modules.ts'
import { type Drilled, startDrilled } from './drilled.ts'

/**
 * Kills the service several times during a stream of creates, and during moves of accounts to other shards,
 * and checks its promise. Each acknowledged sale must exist once, with its lines, totals and audit event. A
 * retry with the same Idempotency-Key must add nothing.
 */
const values = readOptions({
  kills: { type: 'string', default: '3' },
  'per-life': { type: 'string', default: '150' },
  shards: { type: 'string', default: '3' },
})
const PARALLEL = 8
const SHARDS = Number(values.shards)
const state = mkdtempSync(join(tmpdir(), 'drill-crash-'))
const worker = join(state, 'worker')

type Account = { key: string; account_id: string; shard: number }
type Answer = { id: string; text: string }
const accounts: Account[] = []
const acknowledged = new Map<string, Answer>()
const unanswered = new Set<string>()
let next = 0
let refused = 0
let moves = 0
let origin = ''

try {
  writeModules(worker, await aloud('Building the Worker', () => buildWorker('src/worker.ts')))
  let service = await start()
  for (let number = 0; number < 2 * SHARDS; number += 1) {
    const made = await service.newAccount(`Crash ${number}`, number % SHARDS)
    accounts.push({ ...made, shard: number % SHARDS })
  }
  for (let life = 0; life < Number(values.kills); life += 1) {
    await streamUntilKilled(service, acknowledged.size + Number(values['per-life']), life)
    const { size } = unanswered
    console.log(
      `killed after ${acknowledged.size} acknowledgements; ${size} requests without an answer so far`,
    )
    service = await start()
  }
  if (SHARDS > 1)
    for (let life = 0; life < Number(values.kills); life += 1) await moveDuringKill(service, life)
  const faults = [...(await retryAll()), ...(await inspectBooks(service))]
  await service.kill()
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(
    `${next} transactions, ${acknowledged.size} acknowledged, ${moves} moves, ` +
      `${refused} writes refused during moves, ${faults.length} faults`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  rmSync(state, { recursive: true, force: true })
}
process.exit()

/** Starts the service with the state of its previous life. */
async function start(): Promise<Drilled> {
  const variables = { ENVIRONMENT: 'test', ENCRYPTION_KEY: 'a key for the drill', RATE_LIMITS: 'off' }
  const options = { worker, state: join(state, 'data'), shards: SHARDS - 1, variables }
  const service = await aloud('Starting the service', () => startDrilled(options))
  origin = service.origin
  return service
}

function accountOf(external_id: string): Account {
  const account = accounts[Number(external_id.split('-')[1]) % accounts.length]
  if (account === undefined) throw new Error('There is no account')
  return account
}

/** Moves an account; if the service was killed in the middle, a later call of this ends the move. */
async function moveDuringKill(service: Drilled, life: number): Promise<void> {
  const account = accounts[life % accounts.length]
  if (account === undefined || SHARDS < 2) return
  const to = 1 + (account.shard % (SHARDS - 1))
  const moved = await service.move(account.account_id, to)
  moves += 1
  console.log(`moved ${moved.rows} rows to shard ${to}; writes were refused for ${moved.refused_ms} ms`)
}

/**
 * Streams creates, moves an account in the meantime, and kills the service as soon as `count` are
 * acknowledged, while others are in progress. Also ends if every stream has failed before.
 */
async function streamUntilKilled(service: Drilled, count: number, life: number): Promise<void> {
  let streams = PARALLEL
  const stream = () => streamCreates(() => acknowledged.size < count).finally(() => (streams -= 1))
  const all = Promise.all(Array.from({ length: PARALLEL }, stream))
  const half = acknowledged.size + (count - acknowledged.size) / 2
  while (acknowledged.size < half && streams > 0) await sleep(5)
  const moving = moveDuringKill(service, life).catch(() => console.log('killed in the middle of a move'))
  while (acknowledged.size < count && streams > 0) await sleep(5)
  await service.kill()
  await all
  await moving
}

async function streamCreates(alive: () => boolean): Promise<void> {
  while (alive()) {
    const external_id = `crash-${next}`
    next += 1
    unanswered.add(external_id)
    const answer = await create(external_id).catch(() => null)
    if (answer === null) return
    acknowledged.set(external_id, answer)
    unanswered.delete(external_id)
  }
}

/** Records a sale. While its account moves, it is refused, and sent again a little later. */
async function create(external_id: string): Promise<Answer> {
  for (;;) {
    const response = await fetch(`${origin}/v1/transactions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${accountOf(external_id).key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': external_id,
      },
      body: JSON.stringify({
        external_id,
        customer: { address: { country: 'DE', postal_code: '10115' } },
        currency: 'EUR',
        line_items: [
          { amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 },
          { amount: 5_000, product_type: 'books', tax_rate: 0.07, tax_amount: 350 },
        ],
      }),
    })
    const text = await response.text()
    if (response.status === 429 && text.includes('account_moving')) {
      refused += 1
      await sleep(100)
      continue
    }
    if (response.status !== 201) throw new Error(`${response.status} ${text}`)
    const { id }: { id?: unknown } = Object(JSON.parse(text))
    return { id: String(id), text }
  }
}

/** Sends all sales again. Acknowledged ones must get the same answer, and the others must succeed now. */
async function retryAll(): Promise<string[]> {
  const faults: string[] = []
  for (const external_id of [...acknowledged.keys(), ...unanswered]) {
    const again = await create(external_id).catch((error: unknown) => ({ id: '', text: String(error) }))
    const before = acknowledged.get(external_id)
    if (again.id === '') faults.push(`${external_id}: the retry failed: ${again.text}`)
    else if (before !== undefined && before.text !== again.text)
      faults.push(`${external_id}: the retry got another answer`)
  }
  return faults
}

/**
 * Checks the databases themselves: together, without the old copies of moved accounts, they must contain
 * everything once, and nothing else.
 */
async function inspectBooks(service: Drilled): Promise<string[]> {
  const home = "account_id IN (SELECT id FROM accounts WHERE home = 'open')"
  const wanted: [string, string, number][] = [
    ['transactions', `SELECT count(*) AS n FROM transactions WHERE ${home}`, next],
    ['external ids', `SELECT count(DISTINCT external_id) AS n FROM transactions WHERE ${home}`, next],
    ['lines', `SELECT count(*) AS n FROM transaction_lines WHERE ${home}`, 2 * next],
    [
      'audit events',
      `SELECT count(DISTINCT resource_id) AS n FROM audit_events
       WHERE action = 'transaction.created' AND ${home}`,
      next,
    ],
    ['idempotent answers', `SELECT count(*) AS n FROM idempotency_keys WHERE ${home}`, next],
    [
      'transactions in the totals',
      `SELECT sum(transactions) AS n FROM tax_totals WHERE span = 'day' AND ${home}`,
      next,
    ],
    [
      'net amount in the totals',
      `SELECT sum(net_amount) AS n FROM tax_totals WHERE span = 'month' AND ${home}`,
      15_000 * next,
    ],
    [
      'tax in the totals',
      `SELECT sum(tax_amount) AS n FROM tax_totals WHERE span = 'month' AND ${home}`,
      2_250 * next,
    ],
    [
      'transactions in the counts',
      `SELECT sum(transactions) AS n FROM transaction_counts WHERE span = 'day' AND ${home}`,
      next,
    ],
  ]
  const faults: string[] = []
  for (const [what, sql, expected] of wanted) {
    let found = 0
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const [rows] = await service.batch(shard, [{ sql, values: [] }])
      found += Number(rows?.[0]?.['n'] ?? 0)
    }
    if (found !== expected) faults.push(`${what}: ${found}, expected ${expected}`)
  }
  return faults
}
