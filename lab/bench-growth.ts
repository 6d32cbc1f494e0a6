import { FILED_MONTH, READS } from './bench/growth-reads.ts'
import { firstCustomer, generateRates, generateSales } from './bench/generate-sales.ts'
import { workerdMemory } from './bench/workerd.ts'
import { median } from './bench/measure.ts'
import { reconcileYear } from './bench/reconcile-year.ts'
import { report, table, thousands } from './bench/report.ts'
import { measureSealed } from './bench/sealed-books.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { type RunningService, startService } from './service.ts'

type Account = { key: string; account_id: string }
type Read = { name: string; ms: number[] }

const values = readOptions({
  sizes: { type: 'string', default: '10000,100000,1000000' },
  tries: { type: 'string', default: '15' },
  json: { type: 'boolean', default: false },
  'only-year': { type: 'boolean', default: false },
  'only-reads': { type: 'boolean', default: false },
  sealed: { type: 'boolean', default: false },
})
const sizes = values.sizes.split(',').map(Number)
const tries = Number(values.tries)

if (values.sealed) {
  await measureSealed(sizes.at(-1) ?? 0)
  process.exit()
}

const worker = await startService(await buildWorker('src/worker.ts'))
try {
  await generateRates(worker.db)
  const accounts: Account[] = []
  for (const size of sizes) accounts.push(await fillBooks(worker, size))
  if (!values['only-year']) await measureReads(accounts)
  if (!values['only-reads']) await measureYear(accounts.at(-1) ?? { key: '', account_id: '' })
} finally {
  await worker.dispose()
}

async function measureReads(of: readonly Account[]): Promise<void> {
  const filed = []
  for (const { key } of of) filed.push(await fileMonth(key))
  const reads = []
  for (const [name, path] of READS) reads.push({ name, ms: await timeInTurn(of, path) })
  const exported = await exportAll(of.at(-1)?.key ?? '')
  if (values.json) console.log(JSON.stringify({ sizes, reads, exported, filed }))
  else print(reads, exported, filed)
}

/** Files the months of the largest books, and reconciles them by the nightly job. */
async function measureYear({ key, account_id }: Account): Promise<void> {
  const year = await reconcileYear(worker.db, account_id, (body) => post(key, body))
  if (values.json) return console.log(JSON.stringify({ sales: sizes.at(-1), year }))
  const lines = [
    `Books of ${thousands(sizes.at(-1) ?? 0)} sales: ${year.returns} monthly returns with ` +
      `${thousands(year.lines)} lines were filed in ${thousands(year.filing_seconds)} s.`,
    `The nightly job reconciled them line by line in ${thousands(year.seconds)} s and ${year.runs} runs:`,
    `${thousands(year.trips)} trips to the database, at most ${thousands(year.trips_max)} in a run, ` +
      `the longest of ${thousands(year.trip_ms_max)} ms.`,
  ]
  console.log(['', ...lines].join('\n'))
  report('reconciliation', lines)
}

/** Makes an account with `size` sales. */
async function fillBooks({ newAccount, db }: RunningService, size: number): Promise<Account> {
  const { key, account_id } = await newAccount(`Growth ${size}`)
  const began = Date.now()
  await generateSales(db, account_id, size, (done) => {
    if (done % 100_000 === 0)
      console.error(`${done} of ${size} sales, ${Math.round((Date.now() - began) / 1000)} s`)
  })
  return { key, account_id }
}

/** Files the Canadian return of a month: a twelfth of the sales there. Returns the seconds that it took. */
async function fileMonth(key: string): Promise<number> {
  const began = performance.now()
  await post(key, { type: 'ca_gst34', period: FILED_MONTH })
  return (performance.now() - began) / 1_000
}

/** Files a return. */
async function post(key: string, body: object): Promise<{ row_count: number }> {
  const response = await fetch(`${worker.origin}/v1/returns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST /v1/returns answers ${response.status}: ${await response.text()}`)
  return (await response.json()) as { row_count: number }
}

/** Median milliseconds of a read for each account, measured in turn. */
async function timeInTurn(of: readonly Account[], path: string): Promise<number[]> {
  const times: number[][] = of.map(() => [])
  for (let index = 0; index <= tries; index += 1) {
    for (const [which, { key, account_id }] of of.entries()) {
      const own = path.replace('{customer}', firstCustomer(account_id))
      const began = performance.now()
      const response = await get(key, own)
      await response.text()
      // The first read only warms up.
      if (index > 0) times[which]?.push(performance.now() - began)
    }
  }
  return times.map(median)
}

async function get(key: string, path: string): Promise<Response> {
  const response = await fetch(worker.origin + path, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`GET ${path} answers ${response.status}: ${await response.text()}`)
  return response
}

/** Streams the export of an account, and records the memory of workerd during the export. */
async function exportAll(key: string): Promise<{ rows: number; seconds: number; memory_mb: number[] }> {
  const began = performance.now()
  const response = await get(
    key,
    '/v1/reports/export?report=transactions&from_date=2025-11-21&to_date=2026-11-20',
  )
  let rows = -1
  const memory_mb = [workerdMemory()]
  for await (const chunk of response.body ?? []) {
    const before = rows
    for (const byte of chunk) if (byte === 10) rows += 1
    if (Math.floor(rows / 100_000) > Math.floor(before / 100_000)) memory_mb.push(workerdMemory())
  }
  return { rows, seconds: (performance.now() - began) / 1000, memory_mb }
}

function print(
  reads: readonly Read[],
  { rows, seconds, memory_mb }: Awaited<ReturnType<typeof exportAll>>,
  filed: readonly number[],
): void {
  const lines = table(
    ['Reading', ...sizes.map((size) => `${thousands(size)} sales, ms`), 'last / first'],
    reads.map(({ name, ms }) => [
      name,
      ...ms.map((each) => each.toFixed(1)),
      ratio(ms.at(-1), ms[0]).toFixed(2),
    ]),
  )
  const speed = `${thousands(rows / seconds)} rows a second`
  const exported = `An export of ${thousands(rows)} rows took ${seconds.toFixed(1)} s: ${speed}.`
  const memory = `Memory of workerd during the export, every 100,000 rows, MB: ${memory_mb.join(' ')}`
  const filing = `To file a month took ${filed.map((each) => each.toFixed(1)).join(', ')} s.`
  console.log(['', ...lines, '', exported, filing, memory].join('\n'))
  report('growth', [...lines, '', exported, '', filing, '', memory])
}

function ratio(part = 0, whole = 1): number {
  return part / whole
}
