import { inTurn, type Start, withWorkers } from './bench/in-turn.ts'
import { CONNECTIONS, measure, median, type Target, warmUp } from './bench/measure.ts'
import { repeatAnswer } from './bench/repeat-answer.ts'
import { report, table } from './bench/report.ts'
import { PATHS } from './bench/steps-worker.ts'
import { CALIFORNIAN, HUNDRED_LINES, ONE_LINE } from './bench/targets.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { at } from '../src/engine/ground/invariant.ts'
import { startBare, startService } from './service.ts'

/**
 * Prints what each step of a calculation costs: requests a second of workers with one step more each, from
 * the bare Hono worker to the service.
 */
const values = readOptions({
  seconds: { type: 'string', default: '2' },
  rounds: { type: 'string', default: '6' },
  // Few requests of one kind, as a test of this command. It is not reported.
  short: { type: 'boolean', default: false },
})
const seconds = values.short ? 0.1 : Number(values.seconds)
const rounds = values.short ? 1 : Number(values.rounds)

/** V8 still optimises the service after 15,000 requests. */
const WARM_UP = values.short ? CONNECTIONS : 30_000

const TARGETS: readonly Target[] = values.short ? [ONE_LINE] : [ONE_LINE, CALIFORNIAN, HUNDRED_LINES]

/** A worker, and the path that it is asked by. */
type Stage = { name: string; path: string; start: Start }

const floor = await buildWorker('lab/bench/floor-worker.ts')
const constant = await buildWorker('lab/bench/constant-worker.ts')
const steps = await buildWorker('lab/bench/steps-worker.ts')
const startSteps = () => startService(steps)

const STAGES: readonly Stage[] = [
  { name: 'bare Hono worker: the floor', path: PATHS.service, start: () => startBare(floor) },
  { name: 'with the answer of the service', path: PATHS.service, start: () => startBare(constant) },
  {
    name: 'the service that repeats it: key, body, headers',
    path: PATHS.without_validation,
    start: startSteps,
  },
  { name: 'with validation', path: PATHS.without_writing, start: startSteps },
  { name: 'with the text of the answer', path: PATHS.without_engine, start: startSteps },
  { name: 'with the engine: the service', path: PATHS.service, start: startSteps },
]
const CONSTANT = 1

const found = TARGETS.map((): number[][] => STAGES.map(() => []))
for (let round = 0; round < rounds; round += 1)
  for (const [which, target] of TARGETS.entries())
    await withWorkers(
      STAGES.map(({ start }) => start),
      (worker, index) => warmUp(worker, askedAt(target, index), WARM_UP),
      async (workers) => {
        await repeatAnswer(at(workers, CONSTANT), at(workers, workers.length - 1), target)
        for (const [index, worker] of inTurn(workers, round)) {
          const { requests_per_second } = await measure(worker, askedAt(target, index), seconds)
          found[which]?.[index]?.push(requests_per_second)
        }
      },
    )

const lines = [
  `Medians of ${rounds} rounds of ${seconds} s, each in fresh processes, 20 connections.`,
  '',
  ...table(
    ['µs from one answer to the next', ...TARGETS.flatMap(({ name }) => [shortly(name), 'of the floor'])],
    STAGES.map(({ name }, index) => [name, ...found.flatMap((stages) => figuresOf(stages, index))]),
  ),
]
console.log(lines.join('\n'))
if (!values.short) report('steps', lines)

/** The request that a stage gets. */
function askedAt(target: Target, stage: number): Target {
  return { ...target, path: at(STAGES, stage).path }
}

function figuresOf(stages: readonly number[][], index: number): string[] {
  const [first, own] = [median(at(stages, 0)), median(at(stages, index))]
  return [(1_000_000 / own).toFixed(0), (own / first).toFixed(2)]
}

/** The name of a calculation without its route. */
function shortly(name: string): string {
  return name.split(', ').at(-1) ?? name
}
