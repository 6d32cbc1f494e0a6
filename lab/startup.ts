import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readOptions } from '../scripts/options.ts'
import { buildMeasured } from '../scripts/run-worker.ts'
import { exitOf, PROJECT, startWrangler } from '../scripts/wrangler.ts'
import { median } from './bench/measure.ts'
import { report, table, thousands } from './bench/report.ts'

/**
 * Prints the size of the bundle, and the CPU time of its evaluation in fresh processes of Node, beside the
 * release before (test/release). Then wrangler measures a start in workerd. `--rounds`: how often each bundle
 * is evaluated.
 */
const { rounds } = readOptions({ rounds: { type: 'string', default: '15' } })

/** Node makes these classes at their first use, which takes longer than some bundles. */
const WARM_UP = "new Headers(); new Response(''); crypto.subtle;"

const { bundle, evaluated } = await buildMeasured('src/worker.ts')
const before = gunzipSync(readFileSync(join(PROJECT, 'test/release/worker.js.gz'))).toString()
const [old_ms = 0, new_ms = 0] = evaluationTimes([before, bundle], Number(rounds))
const first = [...evaluated.values()].reduce((sum, each) => sum + each, 0)

const share = (100 * new_ms) / old_ms

const lines = [
  ...table(
    ['', 'KB', 'KB gzipped', 'KB that a checkout evaluates', 'evaluation in Node, ms'],
    [
      ['the release before', ...sizes(before), thousands(before.length / 1_000), old_ms.toFixed(0)],
      ['this one', ...sizes(bundle), thousands(first / 1_000), new_ms.toFixed(0)],
    ],
  ),
  '',
  `Medians of ${rounds} fresh processes each, in turn: this one needs ${share.toFixed(0)} % of the time.`,
]
console.log(lines.join('\n'))
report('startup', lines)
process.exitCode = await exitOf(startWrangler(['check', 'startup'], 'inherit'))

function sizes(text: string): string[] {
  return [Buffer.byteLength(text), gzipSync(text).length].map((bytes) => thousands(bytes / 1_000))
}

/** CPU time of the evaluation of each bundle, in turn, so that other load on the machine affects both. */
function evaluationTimes(bundles: readonly string[], times: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'startup-'))
  try {
    const files = bundles.map((text, index) => {
      const file = join(folder, `${index}.mjs`)
      writeFileSync(file, text)
      return file
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
