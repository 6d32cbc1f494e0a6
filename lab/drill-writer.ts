import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions } from '../scripts/options.ts'
import { aloud } from '../scripts/progress.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { percentile } from './bench/measure.ts'
import { table } from './bench/report.ts'
import { makeNeighbour, SELLS } from './neighbour.ts'
import { startService } from './service.ts'

/**
 * Measures what a neighbour in the same database waits, who records a sale every 100 ms, while another
 * account records as many sales as it can. Each writer of that account sends its next request when it has its
 * answer.
 * Fails if the neighbour gets anything but its answer, if a sale is answered and not stored, or stored twice,
 * or if the 95th percentile of the neighbour's times is above `--most` milliseconds.
 */
const values = readOptions({
  seconds: { type: 'string', default: '8' },
  most: { type: 'string', default: '1000' },
})
const SECONDS = Number(values.seconds)
/** Writers at once, and the sales of each of their requests. */
const LOADS = [
  [0, 1],
  [8, 1],
  [64, 1],
  [256, 1],
  [4, 50],
  [16, 50],
] as const

type Answered = { status: number; ms: number; sales: number }

const faults: string[] = []
const modules = await aloud('Building the Worker', () => buildWorker('src/worker.ts'))
const service = await aloud('Starting the service', () =>
  startService(modules, { apart: true, limits: true }),
)
try {
  const rows = []
  for (const [writers, sales] of LOADS)
    rows.push(await aloud(`${writers} writers of ${sales}`, () => rowOf(writers, sales)))
  const head = ['Writers', 'Sales a request', 'Sales a second', 'p50', 'p99', 'Refused']
  console.log(table([...head, 'Neighbour p50', 'p95', 'slowest'], rows).join('\n'))
  for (const fault of new Set(faults)) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await service.dispose()
}
process.exit()

async function rowOf(writers: number, sales: number): Promise<string[]> {
  const saturating = await service.newAccount(`Writers ${writers} ${sales}`)
  const { key } = await service.newAccount(`Neighbour ${writers} ${sales}`, 'pro')
  const neighbour = makeNeighbour(key, SELLS)
  // The first request of a key reads it from the database.
  await writeOnce(saturating.key, 'first', 1)
  neighbour.start(service.origin)
  const until = performance.now() + SECONDS * 1_000
  const loads = Array.from({ length: writers }, (_, writer) =>
    writeUntil(until, saturating.key, `${writer}`, sales),
  )
  const answered = (await Promise.all(loads)).flat()
  if (writers === 0) await sleep(SECONDS * 1_000)
  await neighbour.stop()
  faults.push(...neighbour.faults)
  const good = answered.filter(({ status }) => status < 300)
  const recorded = good.reduce((sum, each) => sum + each.sales, 0)
  await checkStored(saturating.account_id, recorded + 1)
  const times = good.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const waited = neighbour.times.toSorted((one, other) => one - other)
  if (percentile(waited, 0.95) > Number(values.most))
    faults.push(`the neighbour of ${writers} writers waits ${percentile(waited, 0.95).toFixed(0)} ms`)
  const told = (all: readonly number[], share: number) =>
    all.length === 0 ? '' : percentile(all, share).toFixed(0)
  return [
    String(writers),
    String(sales),
    (recorded / SECONDS).toFixed(0),
    told(times, 0.5),
    told(times, 0.99),
    String(answered.length - good.length),
    told(waited, 0.5),
    told(waited, 0.95),
    told(waited, 1),
  ]
}

/** What one writer got. After a refusal it waits as long as it is told, like a client. */
async function writeUntil(until: number, key: string, writer: string, sales: number): Promise<Answered[]> {
  const answered: Answered[] = []
  for (let turn = 0; performance.now() < until; turn += 1) {
    const { wait_ms, ...answer } = await writeOnce(key, `${writer}-${turn}`, sales)
    answered.push(answer)
    await sleep(Math.min(wait_ms, Math.max(0, until - performance.now())))
  }
  return answered
}

async function writeOnce(
  key: string,
  number: string,
  sales: number,
): Promise<Answered & { wait_ms: number }> {
  const began = performance.now()
  const response = await fetch(service.origin + (sales === 1 ? SELLS.path : `${SELLS.path}/batch`), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: bodyOf(number, sales),
  })
  const text = await response.text()
  const { status } = response
  if (status !== 429 && status >= 300) faults.push(`a writer got ${status}: ${text.slice(0, 200)}`)
  const wait_ms = status === 429 ? Number(response.headers.get('Retry-After')) * 1_000 : 0
  return { status, ms: performance.now() - began, sales, wait_ms }
}

function bodyOf(number: string, sales: number): string {
  const sale = (index: number) => ({ ...SELLS.body, external_id: `${number}-${index}` })
  if (sales === 1) return JSON.stringify(sale(0))
  return JSON.stringify({ transactions: Array.from({ length: sales }, (_, index) => sale(index)) })
}

async function checkStored(account_id: string, answered: number): Promise<void> {
  const stored =
    (await service.db
      .prepare('SELECT count(*) AS n FROM transactions WHERE account_id = ?')
      .bind(account_id)
      .first<number>('n')) ?? 0
  if (stored !== answered) faults.push(`${answered} sales were answered, ${stored} are stored`)
}
