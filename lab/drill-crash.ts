import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocal } from '../scripts/bindings.ts'
import { aloud } from '../scripts/progress.ts'
import { readOptions } from '../scripts/options.ts'
import { type Dev, killDev, startDev } from './start-dev.ts'

/**
 * Kills the service several times during a stream of creates, and checks its promise. Each acknowledged sale
 * must exist once, with its lines, totals and audit event. A retry with the same Idempotency-Key must add
 * nothing.
 */
const values = readOptions({
  kills: { type: 'string', default: '3' },
  'per-life': { type: 'string', default: '150' },
  port: { type: 'string', default: '8799' },
})
const PARALLEL = 8
const origin = `http://127.0.0.1:${values.port}`
const state = mkdtempSync(join(tmpdir(), 'drill-crash-'))

type Answer = { id: string; text: string }
const acknowledged = new Map<string, Answer>()
const unanswered = new Set<string>()
let next = 0

try {
  let key = ''
  for (let life = 0; life < Number(values.kills); life += 1) {
    const service = await start()
    key = service.key
    await streamUntilKilled(service, acknowledged.size + Number(values['per-life']))
    const { size } = unanswered
    console.log(
      `killed after ${acknowledged.size} acknowledgements; ${size} requests without an answer so far`,
    )
  }
  const service = await start()
  const faults = [...(await retryAll(key)), ...(await inspect())]
  await killDev(service)
  for (const fault of faults.slice(0, 20)) console.error(fault)
  console.log(`${next} transactions, ${acknowledged.size} acknowledged, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  rmSync(state, { recursive: true, force: true })
}
process.exit()

/** Starts the service with the state of its previous life. */
function start(): Promise<Dev> {
  const flags = [
    '--port',
    values.port,
    '--persist-to',
    state,
    '--var',
    'RATE_LIMITS:off',
    '--log-level',
    'error',
  ]
  return aloud('Starting the service', () => startDev(flags))
}

/**
 * Streams creates, and kills the service as soon as `count` are acknowledged, while others are in progress.
 * Also ends if every stream has failed before.
 */
async function streamUntilKilled(service: Dev, count: number): Promise<void> {
  let streams = PARALLEL
  const stream = () =>
    streamCreates(service.key, () => acknowledged.size < count).finally(() => (streams -= 1))
  const all = Promise.all(Array.from({ length: PARALLEL }, stream))
  while (acknowledged.size < count && streams > 0) await new Promise((resolve) => setImmediate(resolve))
  await killDev(service)
  await all
}

async function streamCreates(key: string, alive: () => boolean): Promise<void> {
  while (alive()) {
    const external_id = `crash-${next}`
    next += 1
    unanswered.add(external_id)
    const answer = await create(key, external_id).catch(() => null)
    if (answer === null) return
    acknowledged.set(external_id, answer)
    unanswered.delete(external_id)
  }
}

async function create(key: string, external_id: string): Promise<Answer> {
  const response = await fetch(`${origin}/v1/transactions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
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
  if (response.status !== 201) throw new Error(`${response.status} ${text}`)
  const { id }: { id?: unknown } = Object(JSON.parse(text))
  return { id: String(id), text }
}

/** Sends all sales again. Acknowledged ones must get the same answer, and the others must succeed now. */
async function retryAll(key: string): Promise<string[]> {
  const faults: string[] = []
  for (const external_id of [...acknowledged.keys(), ...unanswered]) {
    const again = await create(key, external_id).catch((error: unknown) => ({ id: '', text: String(error) }))
    const before = acknowledged.get(external_id)
    if (again.id === '') faults.push(`${external_id}: the retry failed: ${again.text}`)
    else if (before !== undefined && before.text !== again.text)
      faults.push(`${external_id}: the retry got another answer`)
  }
  return faults
}

/** Checks the database itself: it must contain everything once, and nothing else. */
async function inspect(): Promise<string[]> {
  const { db, dispose } = await openLocal(state)
  try {
    const wanted: [string, string, number][] = [
      ['transactions', 'SELECT count(*) AS n FROM transactions', next],
      ['different external ids', 'SELECT count(DISTINCT external_id) AS n FROM transactions', next],
      ['lines', 'SELECT count(*) AS n FROM transaction_lines', 2 * next],
      [
        'audit events',
        "SELECT count(DISTINCT resource_id) AS n FROM audit_events WHERE action = 'transaction.created'",
        next,
      ],
      ['idempotent answers', 'SELECT count(*) AS n FROM idempotency_keys', next],
      [
        'transactions in the totals',
        "SELECT sum(transactions) AS n FROM tax_totals WHERE span = 'day'",
        next,
      ],
      [
        'net amount in the totals',
        "SELECT sum(net_amount) AS n FROM tax_totals WHERE span = 'month'",
        15_000 * next,
      ],
      ['tax in the totals', "SELECT sum(tax_amount) AS n FROM tax_totals WHERE span = 'month'", 2_250 * next],
      [
        'transactions in the counts',
        "SELECT sum(transactions) AS n FROM transaction_counts WHERE span = 'day'",
        next,
      ],
    ]
    const faults: string[] = []
    for (const [what, sql, expected] of wanted) {
      const found = (await db.prepare(sql).first<{ n: number }>())?.n
      if (found !== expected) faults.push(`${what}: ${found}, expected ${expected}`)
    }
    return faults
  } finally {
    await dispose()
  }
}
