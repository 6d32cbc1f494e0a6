import { freePort } from '../scripts/free-port.ts'
import { readOptions } from '../scripts/options.ts'
import { buildModules, type WorkerModules } from '../scripts/worker-modules.ts'
import { bytesMade } from './bench/garbage.ts'
import { measure, type Target } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'
import { sendEvenly } from './bench/tail.ts'
import { type Stop, startTraced } from './bench/stops.ts'
import { AMERICAN, HUNDRED_LINES, ONE_LINE, RATES } from './bench/targets.ts'
import { type RunningWorker, startBare, startService } from './service.ts'

/**
 * Prints the garbage of a request: the kilobytes of objects that it makes in the memory of JavaScript, and
 * the stops of the worker to collect them, beside those of the bare Hono worker of the benchmark.
 * `--functions`: how many functions to name, those with the most first.
 */
const values = readOptions({
  seconds: { type: 'string', default: '4' },
  functions: { type: 'string', default: '20' },
})
const seconds = Number(values.seconds)

const TARGETS: readonly Target[] = [ONE_LINE, HUNDRED_LINES, AMERICAN, RATES]

/** As in the benchmark's comparison of tails. */
const PER_SECOND = 1_500

type Made = { total: number; functions: ReadonlyMap<string, number> }

const FLOOR = 'lab/bench/floor-worker.ts'
const SERVICE = 'src/worker.ts'
const startSilent = (modules: WorkerModules, inspector?: number) =>
  startService(modules, { limiter: false, log: 'none', ...(inspector !== undefined && { inspector }) })

const floor = await madeBy(FLOOR, startBare)
const service = await madeBy(SERVICE, startSilent)
const lines = [
  ...table(
    ['KB of garbage a request', 'bare Hono worker', 'service'],
    TARGETS.map(({ name }, index) => [name, kilobytes(floor[index]), kilobytes(service[index])]),
  ),
  '',
  ...table(
    [
      `Stops to collect garbage, 1 line, ${thousands(PER_SECOND)} requests a second`,
      'requests between two of young objects',
      'ms each',
      'requests between two of all objects',
      'ms each',
      'ms in 1,000 requests',
    ],
    [
      await stopsOf('a Worker that only answers `x`', 'lab/bench/answering-worker.ts', startBare),
      await stopsOf('bare Hono worker', FLOOR, startBare),
      await stopsOf('service', SERVICE, startSilent),
    ],
  ),
]
console.log([...lines, '', `The functions that make it for ${ONE_LINE.name}, in bytes:`].join('\n'))
for (const [name, bytes] of mostFirst(service[0]).slice(0, Number(values.functions)))
  console.log(String(Math.round(bytes)).padStart(7), name || '(anonymous)')
report('garbage', lines)

/**
 * What each target makes in a worker with names that can be read. The first requests do not count: code that
 * is not optimised yet makes more.
 */
async function madeBy(
  entry: string,
  start: (modules: WorkerModules, port: number) => Promise<RunningWorker>,
): Promise<Made[]> {
  const port = await freePort()
  const { modules } = await buildModules(entry, { minify: false })
  const worker = await start(modules, port)
  try {
    const made: Made[] = []
    for (const target of TARGETS) {
      await measure(worker, target, 3 * seconds)
      let answers = 0
      const bytes = await bytesMade(port, async () => {
        answers = (await measure(worker, target, seconds)).answers
      })
      const each = new Map([...bytes].map(([name, sum]) => [name, sum / answers]))
      made.push({ functions: each, total: [...each.values()].reduce((sum, one) => sum + one, 0) })
    }
    return made
  } finally {
    await worker.dispose()
  }
}

/** A row of the table of stops. A full collection is rare, so it takes a while to see several. */
async function stopsOf(
  name: string,
  entry: string,
  start: (modules: WorkerModules) => Promise<RunningWorker>,
): Promise<string[]> {
  const { modules } = await buildModules(entry)
  const { worker, stops } = await startTraced(() => start(modules))
  try {
    await measure(worker, ONE_LINE, 3 * seconds)
    const before = (await stops()).length
    const load = { seconds: 10 * seconds, per_second: PER_SECOND }
    const { length: answers } = await sendEvenly(worker, ONE_LINE, load)
    const seen = (await stops()).slice(before)
    const [young, full] = [seen.filter((stop) => !stop.full), seen.filter((stop) => stop.full)]
    const each = (of: readonly Stop[]) =>
      of.length === 0 ? ['', ''] : [thousands(answers / of.length), (milliseconds(of) / of.length).toFixed(1)]
    return [name, ...each(young), ...each(full), ((milliseconds(seen) / answers) * 1_000).toFixed(1)]
  } finally {
    await worker.dispose()
  }
}

function milliseconds(stops: readonly Stop[]): number {
  return stops.reduce((sum, { ms }) => sum + ms, 0)
}

function kilobytes(made: Made | undefined): string {
  return made === undefined ? '' : (made.total / 1_000).toFixed(1)
}

function mostFirst(made: Made | undefined): [string, number][] {
  return [...(made?.functions ?? [])].toSorted(([, one], [, other]) => other - one)
}
