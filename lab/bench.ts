import { ask } from './bench/ask.ts'
import { measureEngine, measureLocalEngine, measureSalesTax } from './bench/engine.ts'
import { measure, median, medianRound, type Round, type Target } from './bench/measure.ts'
import { report } from './bench/report.ts'
import { linesOf, type Measured, type Row, type Tails } from './bench/result.ts'
import { AMERICAN, LIKE_TAXJAR, ONE_LINE, RATES, TARGETS, TAXJAR } from './bench/targets.ts'
import { measureCold } from './bench/cold.ts'
import { inTurn, withWorkers } from './bench/in-turn.ts'
import { sendEvenly, tailOf } from './bench/tail.ts'
import { repeatAnswer } from './bench/repeat-answer.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { at } from '../src/tax/invariant.ts'
import { type RunningWorker, startBare, startService } from './service.ts'

const values = readOptions({
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

const COUNTED = 200
/** Which of the measured workers repeats answers, and from which on they are services. */
const CONSTANT = 1
const SERVICE = 2
/** American addresses, each with the taxes of several places. */
const ADDRESSES = 500

/**
 * The tails are compared at a load that leaves the floor and the service idle most of the time. workerd stops
 * for a full collection about every ten seconds. The p99 lies inside such stops, so it takes many of them.
 */
const CALM = { seconds: 15 * seconds, per_second: 1_500 }

const engine_per_second = measureEngine(seconds)
const local_per_second = measureLocalEngine(seconds, ADDRESSES)
const sales_tax_per_second = await measureSalesTax(seconds)
const operations = await countOperations()
const { rows, tails } = await measureWorkers()
const taxjar_share = await compareForms()
const cold = await measureCold([ONE_LINE, AMERICAN, RATES])
const measured: Measured = {
  engine_per_second,
  local_per_second,
  sales_tax_per_second,
  addresses: ADDRESSES,
  rows,
  tails,
  calm_rate: CALM.per_second,
  taxjar_share,
  cold,
}
if (values.json) console.log(JSON.stringify(measured))
else {
  const lines = [
    `Medians of ${rounds} rounds of ${seconds} s, each in fresh processes, 20 connections.`,
    '',
    ...linesOf(measured),
  ]
  console.log(lines.join('\n'))
  report('bench', lines)
}

/**
 * Measures the floor, the floor with the answers of the service, the service without and with its log line,
 * and the service with the parts of the simulator. It measures them in turn, so that other load on the
 * machine affects all of them. Each round starts them anew, because V8 optimises the same code better in one
 * process than in another.
 */
async function measureWorkers(): Promise<{ rows: Row[]; tails: Tails }> {
  const floor = await buildWorker('lab/bench/floor-worker.ts')
  const constant = await buildWorker('lab/bench/constant-worker.ts')
  const service = await buildWorker('src/worker.ts')
  const starts = [
    () => startBare(floor),
    () => startBare(constant),
    () => startService(service, { limiter: false, log: 'none' }),
    () => startService(service, { limiter: false, log: 'discarded' }),
    () => startService(service, { limiter: false, log: 'piped' }),
    () => startService(service, { limiter: true, log: 'piped' }),
  ]
  const warmUp = (worker: RunningWorker) => measure(worker, ONE_LINE, 3 * seconds)
  const found: Round[][][] = TARGETS.map(() => starts.map(() => []))
  const times: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    await withWorkers(starts, warmUp, async (workers) => {
      for (const worker of workers.slice(SERVICE)) await enableTaxJar(worker)
      for (const [index, target] of TARGETS.entries()) {
        await repeatAnswer(at(workers, CONSTANT), at(workers, SERVICE), target)
        for (const [which, worker] of inTurn(workers, round)) {
          await measure(worker, target, Math.min(seconds, 2))
          found[index]?.[which]?.push(await measure(worker, target, seconds))
        }
      }
    })
    await withWorkers(starts.slice(0, 3), warmUp, async (workers) => {
      await repeatAnswer(at(workers, CONSTANT), at(workers, SERVICE), ONE_LINE)
      for (const [which, worker] of inTurn(workers, round))
        times[which] = [...(times[which] ?? []), ...(await sendEvenly(worker, ONE_LINE, CALM))]
    })
  }
  const rows = TARGETS.map(({ name }, index): Row => {
    const [bare = [], same = [], silent = [], logged = [], piped = [], limited = []] = found[index] ?? []
    return {
      name,
      floor: medianRound(bare),
      constant: medianRound(same),
      silent: medianRound(silent),
      service: medianRound(logged),
      piped: medianRound(piped),
      limited: medianRound(limited),
      ...(operations[index] ?? { d1_per_request: Number.NaN, kv_per_request: Number.NaN }),
    }
  })
  const [bare = [], same = [], silent = []] = times
  return { rows, tails: { floor: tailOf(bare), constant: tailOf(same), silent: tailOf(silent) } }
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
      for (let index = 0; index < 20; index += 1) await ask(worker, target)
      await takeCounts(worker)
      for (let index = 0; index < COUNTED; index += 1) await ask(worker, target)
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
