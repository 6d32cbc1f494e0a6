import { measureEngine, measureLocalEngine, measureSalesTax } from './bench/engine.ts'
import { measure, median, medianRound, type Round, type Target } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'
import { AMERICAN, BATCH, CARTS, LIKE_TAXJAR, ONE_LINE, RATES, TARGETS, TAXJAR } from './bench/targets.ts'
import { type Cold, measureCold } from './bench/cold.ts'
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
/** American addresses, each with the taxes of several places. */
const ADDRESSES = 500

/** The tails are compared at a load that leaves the floor and the service idle most of the time. */
const CALM_RATE = 1_500

type Calm = { floor: Round; silent: Round }

type Row = {
  name: string
  floor: Round
  silent: Round
  service: Round
  piped: Round
  limited: Round
  /** At the same rate of requests: the floor, and the service without its log line. */
  calm: Calm | null
  d1_per_request: number
  kv_per_request: number
}

const engine_per_second = measureEngine(seconds)
const local_per_second = measureLocalEngine(seconds, ADDRESSES)
const sales_tax_per_second = await measureSalesTax(seconds)
const operations = await countOperations()
const rows = await measureWorkers()
const taxjar_share = await compareForms()
const cold = await measureCold([ONE_LINE, AMERICAN, RATES])
if (values.json)
  console.log(
    JSON.stringify({
      engine_per_second,
      local_per_second,
      sales_tax_per_second,
      rows,
      taxjar_share,
      cold,
    }),
  )
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
    for (const [index, target] of TARGETS.entries()) {
      const results: Round[][] = workers.map(() => [])
      for (const worker of workers) await measure(worker, target, Math.min(seconds, 2))
      for (let round = 0; round < rounds; round += 1) {
        for (const which of inTurn(workers.length, round)) {
          const worker = workers[which]
          if (worker !== undefined) results[which]?.push(await measure(worker, target, seconds))
        }
      }
      const [floor = [], silent = [], service = [], piped = [], limited = []] = results
      const calm = target === BATCH ? null : await measureCalm(workers, target)
      measured.push({
        calm,
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

/** The first two workers in turn, each at the same rate of requests. */
async function measureCalm(workers: readonly RunningWorker[], target: Target): Promise<Calm> {
  const results: Round[][] = [[], []]
  for (let round = 0; round < rounds; round += 1)
    for (const which of inTurn(2, round)) {
      const worker = workers[which]
      if (worker !== undefined) results[which]?.push(await measure(worker, target, seconds, CALM_RATE))
    }
  const [floor = [], silent = []] = results
  return { floor: medianRound(floor), silent: medianRound(silent) }
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
    for (const target of TARGETS) {
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
  const worker = await startService(await buildWorker('src/worker.ts'), { limiter: false, log: 'discarded' })
  try {
    await enableTaxJar(worker)
    const shares: number[] = []
    for (const target of [LIKE_TAXJAR, TAXJAR]) await measure(worker, target, Math.min(seconds, 2))
    for (let round = 0; round < rounds; round += 1) {
      const pair = round % 2 === 0 ? [LIKE_TAXJAR, TAXJAR] : [TAXJAR, LIKE_TAXJAR]
      const found = new Map<Target, number>()
      for (const target of pair)
        found.set(target, (await measure(worker, target, seconds)).requests_per_second)
      shares.push((found.get(TAXJAR) ?? 0) / (found.get(LIKE_TAXJAR) ?? Number.NaN))
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

function print(): void {
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
    'D1 and KV are operations of a warm request. ' +
      `The form of TaxJar answers ${taxjar_share.toFixed(2)} requests for each one of our own form.`,
    '',
    ...goalsOf(rows, cold),
    '',
    ...table(
      ['First answer of an empty isolate, 200 ms from D1 and KV', 'ms', 'trips', 'second answer, ms'],
      cold.map(({ name, trips, first_ms, second_ms }) => [
        name,
        first_ms.toFixed(0),
        trips.toFixed(2),
        second_ms.toFixed(0),
      ]),
    ),
    '',
    ...table(
      ['One line, one core', 'a second'],
      [
        ['the engine', thousands(engine_per_second)],
        [`the engine with local taxes of ${ADDRESSES} addresses`, thousands(local_per_second)],
        ['npm `sales-tax`: only the rate look-up for the same sale', thousands(sales_tax_per_second)],
      ],
    ),
  ]
  console.log(lines.join('\n'))
  report('bench', lines)
}

/** The goals beside what was measured. */
function goalsOf(measured: readonly Row[], first: readonly Cold[]): string[] {
  const row = (name: string) => measured.find((each) => each.name === name)
  const share = (name: string) => {
    const found = row(name)
    return found === undefined ? '' : ratio(found.silent, found.floor)
  }
  const [one, , hundred] = measured
  const calm = one?.calm
  const carts = (CARTS * (row(BATCH.name)?.silent.requests_per_second ?? 0)) / perSecondOf(one)
  return table(
    ['Goal', 'goal', 'measured'],
    [
      ['one line, of the floor', '0.80', share(ONE_LINE.name)],
      ['GET /v1/rates, of the floor', '0.75', share(RATES.name)],
      ['100 lines, of the floor', '0.50', hundred === undefined ? '' : ratio(hundred.silent, hundred.floor)],
      [
        `p99 of one line at ${thousands(CALM_RATE)} requests a second, of the floor's p99`,
        'at most 1.50',
        calm ? (calm.silent.p99_ms / calm.floor.p99_ms).toFixed(2) : '',
      ],
      ['calculations a second in batches of 100, of single calls', 'at least 4.0', carts.toFixed(1)],
      ['trips that a first answer waits for', '1', Math.max(...first.map(({ trips }) => trips)).toFixed(2)],
    ],
  )
}

function perSecondOf(row: Row | undefined): number {
  return row?.silent.requests_per_second ?? Number.NaN
}

function figures(round: Round): string[] {
  return [thousands(round.requests_per_second), round.p50_ms.toFixed(2), round.p99_ms.toFixed(2)]
}

function ratio(round: Round, floor: Round): string {
  return (round.requests_per_second / floor.requests_per_second).toFixed(2)
}
