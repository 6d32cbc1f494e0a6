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
 * Kills the service several times during a stream of creates, and `--move-kills` times in the middle of moves
 * of accounts to other shards, and checks its promise. Each acknowledged sale must exist once, with its
 * lines, totals and audit event. A retry with the same Idempotency-Key must add nothing. In a third of the
 * moves, two movers work at once. In the end, each account is at home in one shard.
 */
const values = readOptions({
  kills: { type: 'string', default: '3' },
  'move-kills': { type: 'string', default: '3' },
  'per-life': { type: 'string', default: '150' },
  shards: { type: 'string', default: '3' },
  serve: { type: 'boolean', default: false },
})
const PARALLEL = 8
const SHARDS = Number(values.shards)
/** A dead mover is followed soon. A living one prolongs its lease each time a third of it is over. */
const LEASE_MS = 1_500
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
let killed_moves = 0
let movers_refused = 0
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
    await endMoves(service)
  }
  if (SHARDS > 1)
    for (let life = 0; life < Number(values['move-kills']); life += 1) {
      await killInMove(service, life)
      service = await start()
      await endMoves(service)
    }
  const faults = [...(await retryAll()), ...(await inspectBooks(service)), ...(await inspectHomes(service))]
  await service.kill()
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(
    `${next} transactions, ${acknowledged.size} acknowledged, ${moves} moves, ` +
      `${killed_moves} killed in the middle, ${movers_refused} movers stopped by another one, ` +
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
  const options = { worker, state: join(state, 'data'), shards: SHARDS - 1, variables, served: values.serve }
  const service = await aloud('Starting the service', () => startDrilled(options))
  origin = service.origin
  return service
}

function accountOf(external_id: string): Account {
  const account = accounts[Number(external_id.split('-')[1]) % accounts.length]
  if (account === undefined) throw new Error('There is no account')
  return account
}

/**
 * Streams creates, begins a move, in each third life two at once, and kills the service in the middle of it:
 * a little later in each life.
 */
async function killInMove(service: Drilled, life: number): Promise<void> {
  const account = accounts[life % accounts.length]
  if (account === undefined) return
  await service.deleteOldCopies()
  const to = 1 + (account.shard % (SHARDS - 1))
  let alive = true
  const streams = Promise.all(Array.from({ length: PARALLEL }, () => streamCreates(() => alive)))
  await sleep(100)
  let moving = true
  const movers = Array.from({ length: life % 3 === 0 ? 2 : 1 }, () => moveOnce(service, account, to))
  const all = Promise.all(movers).then(() => (moving = false))
  while (moving && (await unfinishedMoves(service)).length === 0) await sleep(5)
  await sleep((life % 20) * 30)
  if (moving) killed_moves += 1
  await service.kill()
  alive = false
  await Promise.all([streams, all])
}

/** One mover. It may be killed, or be stopped by another one; anything else is a fault. */
async function moveOnce(service: Drilled, account: Account, to: number): Promise<boolean> {
  try {
    await service.move(account.account_id, to, LEASE_MS)
    account.shard = to
    moves += 1
    return true
  } catch (error) {
    const text = String(error)
    if (/Another process|taken over/.test(text)) movers_refused += 1
    else if (/differs|disagree/.test(text)) throw error
    return false
  }
}

/** Ends the moves whose movers were killed, by running the command again. */
async function endMoves(service: Drilled): Promise<void> {
  for (const { account_id, to_shard } of await unfinishedMoves(service)) {
    const account = accounts.find((each) => each.account_id === account_id)
    if (account === undefined) throw new Error(`There is no account ${String(account_id)}`)
    while (!(await moveOnce(service, account, Number(to_shard)))) await sleep(200)
  }
  for (const account of accounts) account.shard = await shardOf(service, account)
}

async function unfinishedMoves(service: Drilled) {
  const sql = 'SELECT account_id, to_shard FROM account_moves WHERE finished_at IS NULL'
  const [unfinished = []] = await service.batch(0, [{ sql, values: [] }])
  return unfinished
}

async function shardOf(service: Drilled, { account_id }: Account): Promise<number> {
  const sql = 'SELECT shard FROM accounts WHERE id = ?'
  const [rows = []] = await service.batch(0, [{ sql, values: [account_id] }])
  return Number(rows[0]?.['shard'])
}

/** Moves an account during a stream of creates. A kill in the middle leaves the rest to `endMoves`. */
async function moveDuringKill(service: Drilled, life: number): Promise<void> {
  const account = accounts[life % accounts.length]
  if (account === undefined || SHARDS < 2) return
  await moveOnce(service, account, 1 + (account.shard % (SHARDS - 1)))
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
  const moving = moveDuringKill(service, life)
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

/** Each account is at home in exactly one shard: the one that the control database names. */
async function inspectHomes(service: Drilled): Promise<string[]> {
  const homes = new Map<string, number[]>()
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const [rows = []] = await service.batch(shard, [
      { sql: "SELECT id FROM accounts WHERE home = 'open'", values: [] },
    ])
    for (const { id } of rows) homes.set(String(id), [...(homes.get(String(id)) ?? []), shard])
  }
  const faults: string[] = []
  for (const account of accounts) {
    const wanted = String(await shardOf(service, account))
    const found = (homes.get(account.account_id) ?? []).join()
    if (found !== wanted) faults.push(`${account.account_id} is at home in ${found}, expected ${wanted}`)
  }
  return faults
}
