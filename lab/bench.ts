import { measureEngine, measureSalesTax } from './bench/engine.ts'
import { measure, median, medianRound, type Round, type Target } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { type RunningWorker, startBare, startService } from './service.ts'

const values = readOptions({
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '8' },
  json: { type: 'boolean', default: false },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

const COUNTED = 200

const targets: Target[] = [
  { name: 'POST /v1/calculate, 1 line', method: 'POST', path: '/v1/calculate', body: bodyOf(1) },
  { name: 'POST /v1/calculate, 10 lines', method: 'POST', path: '/v1/calculate', body: bodyOf(10) },
  { name: 'POST /v1/calculate, 100 lines', method: 'POST', path: '/v1/calculate', body: bodyOf(100) },
  { name: 'GET /v1/rates', method: 'GET', path: '/v1/rates?jurisdiction=FR' },
  { name: 'POST /v2/taxes, 1 line', method: 'POST', path: '/v2/taxes', body: orderOf(1) },
]

type Row = {
  name: string
  floor: Round
  silent: Round
  service: Round
  piped: Round
  limited: Round
  d1_per_request: number
  kv_per_request: number
}

const engine_per_second = measureEngine(seconds)
const sales_tax_per_second = await measureSalesTax(seconds)
const operations = await countOperations()
const rows = await measureWorkers()
const taxjar_share = await compareForms()
if (values.json) console.log(JSON.stringify({ engine_per_second, sales_tax_per_second, rows, taxjar_share }))
else print()

/**
 * Measures the floor, the service without and with its log line, and the service with the parts of the
 * simulator. It measures them in turn, so that other load on the machine affects all of them.
 */
async function measureWorkers(): Promise<Row[]> {
  const [floorBundle, bundle] = [
    await buildWorker('lab/bench/floor-worker.ts'),
    await buildWorker('src/worker.ts'),
  ]
  const workers = [
    await startBare(floorBundle),
    await startService(bundle, { limiter: false, log: 'none' }),
    await startService(bundle, { limiter: false, log: 'discarded' }),
    await startService(bundle, { limiter: false, log: 'piped' }),
    await startService(bundle, { limiter: true, log: 'piped' }),
  ]
  try {
    for (const worker of workers.slice(1)) await enableTaxJar(worker)
    const measured: Row[] = []
    for (const [index, target] of targets.entries()) {
      const results: Round[][] = workers.map(() => [])
      for (const worker of workers) await measure(worker, target, Math.min(seconds, 2))
      for (let round = 0; round < rounds; round += 1) {
        for (const which of inTurn(workers.length, round)) {
          const worker = workers[which]
          if (worker !== undefined) results[which]?.push(await measure(worker, target, seconds))
        }
      }
      const [floor = [], silent = [], service = [], piped = [], limited = []] = results
      measured.push({
        name: target.name,
        floor: medianRound(floor),
        silent: medianRound(silent),
        service: medianRound(service),
        piped: medianRound(piped),
        limited: medianRound(limited),
        ...(operations[index] ?? { d1_per_request: Number.NaN, kv_per_request: Number.NaN }),
      })
    }
    return measured
  } finally {
    for (const worker of workers) await worker.dispose()
  }
}

/**
 * Each round begins with another worker, because the worker after the fastest one is slowed down the most.
 */
function inTurn(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + round) % count)
}

/**
 * Counts the operations of warm requests. The first requests fill the memory of the isolate and do not count.
 */
async function countOperations(): Promise<{ d1_per_request: number; kv_per_request: number }[]> {
  const worker = await startService(await buildWorker('lab/bench/counting-worker.ts'), {
    limiter: false,
    log: 'piped',
  })
  try {
    await enableTaxJar(worker)
    const counted = []
    for (const target of targets) {
      for (let index = 0; index < 20; index += 1) await call(worker, target)
      await takeCounts(worker)
      for (let index = 0; index < COUNTED; index += 1) await call(worker, target)
      const { d1, kv } = await takeCounts(worker)
      counted.push({ d1_per_request: d1 / COUNTED, kv_per_request: kv / COUNTED })
    }
    return counted
  } finally {
    await worker.dispose()
  }
}

/** The account of the benchmark answers in the form of TaxJar, too. */
async function enableTaxJar({ origin, key }: RunningWorker): Promise<void> {
  const response = await fetch(`${origin}/v1/account`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ taxjar_api: { enabled: true } }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/**
 * The requests that the form of TaxJar answers for each one of our own form: the median of rounds that follow
 * each other directly, so that other load on the machine affects both.
 */
async function compareForms(): Promise<number> {
  const theirs = targets.find(({ path }) => path === '/v2/taxes')
  if (theirs === undefined) throw new Error('The form of TaxJar is a target')
  // TaxJar's answer says whether shipping is taxed, so the own form is asked for the same.
  const sale: object = JSON.parse(bodyOf(1))
  const body = JSON.stringify({ ...sale, shipping_cost: { amount: 0 } })
  const own: Target = { name: 'the same sale', method: 'POST', path: '/v1/calculate', body }
  const worker = await startService(await buildWorker('src/worker.ts'), { limiter: false, log: 'discarded' })
  try {
    await enableTaxJar(worker)
    const shares: number[] = []
    for (const target of [own, theirs]) await measure(worker, target, Math.min(seconds, 2))
    for (let round = 0; round < rounds; round += 1) {
      const pair = round % 2 === 0 ? [own, theirs] : [theirs, own]
      const found = new Map<Target, number>()
      for (const target of pair)
        found.set(target, (await measure(worker, target, seconds)).requests_per_second)
      shares.push((found.get(theirs) ?? 0) / (found.get(own) ?? Number.NaN))
    }
    return median(shares)
  } finally {
    await worker.dispose()
  }
}

async function takeCounts(worker: RunningWorker): Promise<{ d1: number; kv: number }> {
  const response = await fetch(`${worker.origin}/counts`)
  const { d1, kv }: { d1?: unknown; kv?: unknown } = Object(await response.json())
  return { d1: Number(d1), kv: Number(kv) }
}

async function call(worker: RunningWorker, { name, method, path, body }: Target): Promise<void> {
  const response = await fetch(worker.origin + path, {
    method,
    headers: { authorization: `Bearer ${worker.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answers ${response.status}: ${text}`)
}

function bodyOf(lines: number): string {
  return JSON.stringify({
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
    line_items: Array.from({ length: lines }, (_, index) => ({
      reference: `sku-${index}`,
      amount: 1999 + index,
      product_type: 'saas',
    })),
  })
}

/** The same sale in the form of TaxJar. */
function orderOf(lines: number): string {
  return JSON.stringify({
    from_country: 'DE',
    to_country: 'FR',
    to_zip: '75002',
    to_city: 'Paris',
    shipping: 0,
    nexus_addresses: [{ country: 'FR' }],
    line_items: Array.from({ length: lines }, (_, index) => ({
      id: `sku-${index}`,
      quantity: 1,
      unit_price: (1999 + index) / 100,
      product_tax_code: '30070',
    })),
  })
}

function print(): void {
  const [one, , hundred] = rows
  const times =
    one === undefined || hundred === undefined
      ? 0
      : one.service.requests_per_second / hundred.service.requests_per_second
  const lines = [
    `Medians of ${rounds} rounds of ${seconds} s each, 20 connections.`,
    '',
    ...table(
      ['', 'requests a second', 'p50 ms', 'p99 ms', 'of the floor', 'D1', 'KV'],
      rows.flatMap((row) => [
        [`**${row.name}**`, '', '', '', '', row.d1_per_request.toFixed(2), row.kv_per_request.toFixed(2)],
        ['bare Hono worker: the floor', ...figures(row.floor), '', '', ''],
        ['service', ...figures(row.silent), ratio(row.silent, row.floor), '', ''],
        ['with its log line', ...figures(row.service), ratio(row.service, row.floor), '', ''],
        ['with the simulated log pipe', ...figures(row.piped), ratio(row.piped, row.floor), '', ''],
        ['with the simulated limiter', ...figures(row.limited), ratio(row.limited, row.floor), '', ''],
      ]),
    ),
    '',
    `A request with 100 lines takes ${times.toFixed(1)} times as long as one with one line. ` +
      'D1 and KV are operations of a warm request. ' +
      `The form of TaxJar answers ${taxjar_share.toFixed(2)} requests for each one of our own form.`,
    '',
    ...table(
      ['One line, one core', 'a second'],
      [
        ['the engine', thousands(engine_per_second)],
        ['npm `sales-tax`: only the rate look-up for the same sale', thousands(sales_tax_per_second)],
      ],
    ),
  ]
  console.log(lines.join('\n'))
  report('bench', lines)
}

function figures(round: Round): string[] {
  return [thousands(round.requests_per_second), round.p50_ms.toFixed(2), round.p99_ms.toFixed(2)]
}

function ratio(round: Round, floor: Round): string {
  return (round.requests_per_second / floor.requests_per_second).toFixed(2)
}
