import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { releaseBefore } from '../scripts/kept-release.ts'
import { readOptions } from '../scripts/options.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import type { WorkerModule, WorkerModules } from '../scripts/built-worker.ts'
import { evaluatedAtStart, START_MAX, writeModules } from '../scripts/worker-modules.ts'
import { exitOf, startWrangler } from '../scripts/wrangler.ts'
import { median } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'

/**
 * Prints the size of the Worker, the part of it that a start evaluates, and the CPU time of that in fresh
 * processes of Node, beside the release before. Then wrangler measures a start in workerd.
 * `--rounds`: how often each worker is evaluated.
 */
const { rounds } = readOptions({ rounds: { type: 'string', default: '15' } })

/** Node makes these classes at their first use, which takes longer than some bundles. */
const WARM_UP = "new Headers(); new Response(''); crypto.subtle;"

const before = releaseBefore().modules
const now = await buildWorker('src/worker.ts')
const [old_ms = 0, new_ms = 0] = evaluationTimes([before, now], Number(rounds))
const share = (100 * new_ms) / old_ms

const lines = [
  ...table(
    ['', 'KB', 'KB gzipped', 'KB that a start evaluates', 'of it KB gzipped', 'evaluation in Node, ms'],
    [
      ['the release before', ...sizes(before), ...sizes(evaluatedAtStart(before)), old_ms.toFixed(0)],
      ['this one', ...sizes(now), ...sizes(evaluatedAtStart(now)), new_ms.toFixed(0)],
    ],
  ),
  '',
  `Medians of ${rounds} fresh processes each, in turn: this one needs ${share.toFixed(0)} % of the time.`,
  `The bounds are ${thousands(START_MAX.bytes / 1_000)} KB and ` +
    `${thousands(START_MAX.gzipped / 1_000)} KB gzipped. The goal is no more time than the release before.`,
]
console.log(lines.join('\n'))
report('startup', lines)
process.exitCode = await exitOf(startWrangler(['check', 'startup'], 'inherit'))

function sizes(modules: readonly WorkerModule[]): string[] {
  const text = modules.map(({ contents }) => contents).join('')
  return [Buffer.byteLength(text), gzipSync(text).length].map((bytes) => thousands(bytes / 1_000))
}

/** CPU time of the evaluation of each worker, in turn, so that other load on the machine affects both. */
function evaluationTimes(workers: readonly WorkerModules[], times: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'startup-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const files = workers.map((modules, index) => {
      writeModules(join(folder, String(index)), modules)
      return join(folder, String(index), modules[0].name)
    })
    const measured = files.map((): number[] => [])
    for (let round = 0; round < times; round += 1)
      for (const [index, file] of files.entries()) measured[index]?.push(evaluationTime(file))
    return measured.map(median)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function evaluationTime(file: string): number {
  const script = `${WARM_UP} const begun = process.cpuUsage(); await import(${JSON.stringify(file)})
    const { user, system } = process.cpuUsage(begun); process.stdout.write(String((user + system) / 1000))`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
}
