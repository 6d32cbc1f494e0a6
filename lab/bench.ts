import { ask } from './bench/ask.ts'
import { measureCold } from './bench/cold.ts'
import { measureEngine } from './bench/engine.ts'
import { measureFirst } from './bench/first.ts'
import { inTurn, withWorkers } from './bench/in-turn.ts'
import { CONNECTIONS, measure, medianRound, type Round, warmUp } from './bench/measure.ts'
import { repeatAnswer } from './bench/repeat-answer.ts'
import { report } from './bench/report.ts'
import { linesOf, type Measured, type Row, tableOfRows } from './bench/result.ts'
import { AMERICAN, ONE_LINE, RATES, TARGETS } from './bench/targets.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { at } from '../src/engine/ground/invariant.ts'
import { type RunningWorker, startBare, startService } from './service.ts'

const values = readOptions({
  seconds: { type: 'string', default: '2' },
  rounds: { type: 'string', default: '4' },
  json: { type: 'boolean', default: false },
  // Few requests of each kind, as a test of this command. It is not reported.
  short: { type: 'boolean', default: false },
  // Only the requests whose name it matches, and nothing else is measured or reported.
  only: { type: 'string', default: '' },
})
const seconds = values.short ? 0.1 : Number(values.seconds)
const rounds = values.short ? 1 : Number(values.rounds)
/** V8 still optimises the service after 15,000 requests. */
const WARM_UP = values.short ? CONNECTIONS : 20_000
const WARM_UP_EACH = values.short ? CONNECTIONS : 2_000
const only = new RegExp(values.only)
const targets = TARGETS.filter(({ name }) => only.test(name))

const COUNTED = values.short ? 1 : 200
const SAMPLES = values.short ? { cold: 1, first: 1 } : { cold: 5, first: 3 }
const FIRST = values.short ? [ONE_LINE] : [ONE_LINE, AMERICAN]

const floor = await buildWorker('lab/bench/floor-worker.ts')
const service = await buildWorker('src/worker.ts')
const rows = await measureWorkers(await countOperations())
const measured: Measured | null =
  values.only === ''
    ? {
        engine_per_second: measureEngine(seconds),
        rows,
        cold: await measureCold([ONE_LINE, AMERICAN, RATES], SAMPLES.cold),
        first: await measureFirst(
          FIRST,
          () => startBare(floor),
          () => startService(service),
          SAMPLES.first,
        ),
      }
    : null
if (measured === null) console.log(tableOfRows(rows).join('\n'))
else if (values.json) console.log(JSON.stringify(measured))
else {
  const lines = [
    `Medians of ${rounds} rounds of ${seconds} s, each in fresh processes, 20 connections.`,
    '',
    ...linesOf(measured),
  ]
  console.log(lines.join('\n'))
  if (!values.short) report('bench', lines)
}

type Operations = Pick<Row, 'd1_per_request' | 'kv_per_request'>

/**
 * Measures the floor, the floor with the answers of the service, and the service. It measures them in turn,
 * so that other load on the machine affects all of them. Each round starts them anew, because V8 optimises
 * the same code better in one process than in another.
 */
async function measureWorkers(operations: readonly Operations[]): Promise<Row[]> {
  const constant = await buildWorker('lab/bench/constant-worker.ts')
  const starts = [() => startBare(floor), () => startBare(constant), () => startService(service)]
  const found: Round[][][] = targets.map(() => starts.map(() => []))
  for (let round = 0; round < rounds; round += 1)
    await withWorkers(
      starts,
      (worker) => warmUp(worker, ONE_LINE, WARM_UP),
      async (workers) => {
        const [repeating, serving] = [at(workers, 1), at(workers, 2)]
        await enableTaxJar(serving)
        for (const [index, target] of targets.entries()) {
          await repeatAnswer(repeating, serving, target)
          for (const [which, worker] of inTurn(workers, round)) {
            await warmUp(worker, target, WARM_UP_EACH)
            found[index]?.[which]?.push(await measure(worker, target, seconds))
          }
        }
      },
    )
  return targets.map(({ name }, index): Row => {
    const [bare = [], same = [], own = []] = at(found, index)
    return {
      name,
      floor: medianRound(bare),
      constant: medianRound(same),
      service: medianRound(own),
      ...at(operations, index),
    }
  })
}

/**
 * Counts the operations of warm requests. The first requests fill the memory of the isolate and do not count.
 */
async function countOperations(): Promise<Operations[]> {
  const worker = await startService(await buildWorker('lab/bench/counting-worker.ts'))
  try {
    await enableTaxJar(worker)
    const counted: Operations[] = []
    for (const target of targets) {
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

async function takeCounts(worker: RunningWorker): Promise<{ d1: number; kv: number }> {
  const response = await fetch(`${worker.origin}/counts`)
  const { d1, kv }: { d1?: unknown; kv?: unknown } = Object(await response.json())
  return { d1: Number(d1), kv: Number(kv) }
}
