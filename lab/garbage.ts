import { freePort } from '../scripts/free-port.ts'
import { readOptions } from '../scripts/options.ts'
import { buildModules, type WorkerModules } from '../scripts/worker-modules.ts'
import { bytesMade } from './bench/garbage.ts'
import { measure, type Target } from './bench/measure.ts'
import { report, table } from './bench/report.ts'
import { AMERICAN, HUNDRED_LINES, ONE_LINE, RATES } from './bench/targets.ts'
import { type RunningWorker, startBare, startService } from './service.ts'

/**
 * Prints the garbage of a request: the kilobytes of objects that it makes in the memory of JavaScript, beside
 * those of the bare Hono worker of the benchmark. `--functions`: how many functions to name, those with the
 * most first.
 */
const values = readOptions({
  seconds: { type: 'string', default: '4' },
  functions: { type: 'string', default: '20' },
})
const seconds = Number(values.seconds)

const TARGETS: readonly Target[] = [ONE_LINE, HUNDRED_LINES, AMERICAN, RATES]

type Made = { total: number; functions: ReadonlyMap<string, number> }

const floor = await madeBy('lab/bench/floor-worker.ts', startBare)
const service = await madeBy('src/worker.ts', (modules, inspector) =>
  startService(modules, { limiter: false, log: 'none', inspector }),
)

const lines = table(
  ['KB of garbage a request', 'bare Hono worker', 'service'],
  TARGETS.map(({ name }, index) => [name, kilobytes(floor[index]), kilobytes(service[index])]),
)
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

function kilobytes(made: Made | undefined): string {
  return made === undefined ? '' : (made.total / 1_000).toFixed(1)
}

function mostFirst(made: Made | undefined): [string, number][] {
  return [...(made?.functions ?? [])].toSorted(([, one], [, other]) => other - one)
}
