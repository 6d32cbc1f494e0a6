import { copyAccount, fillFirst } from './accounts/copies.ts'
import { type Cost, noCost } from './accounts/cost.ts'
import { jobsOf, NIGHT, type Ran, TICK } from './accounts/run-job.ts'
import { WAITS } from './accounts/waits.ts'
import type { Order } from './bench/jobs-worker.ts'
import { report, table, thousands } from './bench/report.ts'
import { processorUs, workerds } from './bench/workerd.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import type { QueueMessage } from '../src/platform/queue/messages.ts'
import { startService } from './service.ts'

/**
 * Fills a database with small accounts, and runs each job of its ticks and nights alone, until nothing waits.
 * Counts what each costs, and fails if a tick or a message needs more statements than an invocation has, or a
 * job more ticks than its promise allows.
 */
const values = readOptions({
  accounts: { type: 'string', default: '10000' },
  json: { type: 'boolean', default: false },
})
const accounts = Number(values.accounts)

/** D1 gives an invocation so many. */
const STATEMENTS_MAX = 1_000
/** The consumer of wrangler.toml takes so many messages at once. */
const BATCH = 10
const CHUNK = 500
const TICK_MS = 300_000
const TICKS_MAX = 400
const ERASED = 200

/** What a job has cost: in the dearest tick or message, and in all; and after how many ticks it was done. */
type Sum = { most: Cost; all: Cost; cpu_ms: number; runs: number; ticks: number }

const sums = new Map<string, Sum>()
const faults = new Set<string>()
const service = await startService(await buildWorker('lab/bench/jobs-worker.ts'), { backups: true })
try {
  const began = new Date()
  const night = nightOf(began)
  await fill(began, night)
  await erase(new Date(began.getTime() + TICK_MS))
  await ticksFrom('a day', new Date(began.getTime() + TICK_MS))
  await runCron('the first of a month', NIGHT, night)
  await ticksFrom('the first of a month', night)
  const due = new Date(night.getTime() + 13 * 86_400_000)
  await runCron('the 14th', NIGHT, due)
  await ticksFrom('the 14th', due)
  print()
} finally {
  await service.dispose()
}
if (faults.size > 0) {
  console.error([...faults].join('\n'))
  process.exitCode = 1
}

/** The nightly tick of the first day of the next month. */
function nightOf(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 3, 17))
}

async function fill(now: Date, night: Date): Promise<void> {
  const { key, account_id } = await service.newAccount('The first')
  await fillFirst(async (method, path, body) => {
    const response = await fetch(service.origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new Error(`${method} ${path} answers ${JSON.stringify(answer)}`)
    return answer
  }, now)
  for (let from = 1; from < accounts; from += CHUNK) {
    await copyAccount(service.db, account_id, { from, to: Math.min(from + CHUNK, accounts), now: night })
    if ((from - 1) % 10_000 === 0) console.error(`${from - 1} of ${accounts} accounts`)
  }
}

/** Persons that a restore has brought back. */
async function erase(now: Date): Promise<void> {
  const { results } = await service.db
    .prepare(
      `UPDATE customers SET name = name || ' erased'
       WHERE id IN (SELECT id FROM customers ORDER BY id LIMIT ${ERASED})
       RETURNING account_id, id AS customer_id`,
    )
    .all<{ account_id: string; customer_id: string }>()
  await order({ now: now.toISOString(), erased: results })
}

/** Ticks until nothing waits. */
async function ticksFrom(when: string, from: Date): Promise<void> {
  for (let tick = 1; tick <= TICKS_MAX; tick += 1) {
    const now = new Date(from.getTime() + tick * TICK_MS)
    await runCron(when, TICK, now)
    const waiting = await whatWaits(now)
    for (const job of waiting) note(job).ticks = Math.max(note(job).ticks, tick + 1)
    for (const job of waiting)
      if (tick === WAITS[job]?.ticks) faults.add(`${job} is not done after ${tick} ticks of ${when}`)
    if (waiting.length === 0) return
  }
}

async function whatWaits(now: Date): Promise<string[]> {
  const waiting: string[] = []
  for (const [job, { sql }] of Object.entries(WAITS)) {
    const asked = service.db.prepare(sql as 'SELECT 1')
    const bound = sql.includes('?1') ? asked.bind(now.toISOString()) : asked
    if ((await bound.first<number>('n')) !== 0) waiting.push(job)
  }
  return waiting
}

/** Runs the jobs of a tick, each alone, and then the messages that they sent. */
async function runCron(when: string, cron: string, now: Date): Promise<void> {
  const messages: QueueMessage[] = []
  let statements = 0
  for (const job of jobsOf(cron)) {
    const ran = await measured(job, { now: now.toISOString(), cron, job })
    statements += ran.cost.statements
    messages.push(...ran.messages)
  }
  if (statements > STATEMENTS_MAX) faults.add(`${statements} statements in a tick of ${when}: ${cron}`)
  await handle(when, messages, now)
}

/** Handles messages, and those that they send, in batches of one kind. */
async function handle(when: string, first: readonly QueueMessage[], now: Date): Promise<void> {
  const waiting = first.filter(isHandled)
  while (waiting.length > 0) {
    const [{ kind } = { kind: 'event' }] = waiting
    const size = kind === 'event' ? BATCH : 1
    const messages = waiting.splice(0, size)
    const ran = await measured(`messages: ${kind}`, { now: now.toISOString(), messages })
    if (ran.cost.statements > STATEMENTS_MAX)
      faults.add(`${ran.cost.statements} statements of a message of ${when}: ${kind}`)
    waiting.push(...ran.messages.filter(isHandled))
  }
}

/** Deliveries, collectors and questions need the network: other drills have them. */
function isHandled({ kind }: QueueMessage): boolean {
  return kind === 'event' || kind === 'thresholds' || kind === 'daily_messages'
}

async function measured(name: string, what: Order): Promise<Ran> {
  const before = processorUs(workerds()[0])
  const ran = (await order(what)) as Ran
  const cpu_ms = (processorUs(workerds()[0]) - before) / 1_000
  if (ran.error !== null) faults.add(`${name} failed: ${ran.error}`)
  const sum = note(name)
  for (const key of Object.keys(ran.cost) as (keyof Cost)[]) {
    sum.all[key] += ran.cost[key]
    sum.most[key] = Math.max(sum.most[key], ran.cost[key])
  }
  sum.cpu_ms = Math.max(sum.cpu_ms, cpu_ms)
  sum.runs += 1
  return ran
}

function note(name: string): Sum {
  const known = sums.get(name) ?? { most: noCost(), all: noCost(), cpu_ms: 0, runs: 0, ticks: 1 }
  sums.set(name, known)
  return known
}

async function order(what: Order): Promise<unknown> {
  const response = await fetch(`${service.origin}/run`, { method: 'POST', body: JSON.stringify(what) })
  if (!response.ok) throw new Error(`${JSON.stringify(what).slice(0, 200)}: ${await response.text()}`)
  return response.json()
}

function print(): void {
  if (values.json) return console.log(JSON.stringify(Object.fromEntries(sums)))
  const figures = [...sums].map(([name, { most, cpu_ms, ticks, runs }]) => [
    name,
    name in WAITS ? String(ticks) : '',
    ...[runs, most.statements, most.trips, most.rows_read, most.rows_written, cpu_ms].map(thousands),
  ])
  const head = ['Job', 'ticks', 'runs', 'statements', 'trips', 'rows read', 'rows written', 'CPU, ms']
  const lines = table(head, figures)
  console.log([`${thousands(accounts)} accounts`, '', ...lines].join('\n'))
  if (accounts >= 10_000) report('jobs', [`${thousands(accounts)} accounts.`, '', ...lines])
}
