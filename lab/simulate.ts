import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments } from '../scripts/options.ts'
import { aloud } from '../scripts/progress.ts'
import { buildWorker } from '../scripts/run-worker.ts'
import { writeModules } from '../scripts/worker-modules.ts'
import { simulate } from './simulation/simulate.ts'

/**
 * Simulates the service for each seed, an empty one each time. A seed always makes the same steps with faults
 * at the same trips. What a queue delivers meanwhile is up to workerd. Ends at the first step with a fault.
 */
const { values, positionals } = readArguments({ steps: { type: 'string', default: '120' } })
const folder = mkdtempSync(join(tmpdir(), 'simulate-'))
const worker = join(folder, 'worker')

try {
  writeModules(worker, await aloud('Building the Worker', () => buildWorker('lab/drilled-worker.ts')))
  for (const seed of positionals.length > 0 ? positionals : ['1']) {
    const state = join(folder, `state-${seed}`)
    const { faults, line } = await simulate(Number(seed), Number(values.steps), { worker, state })
    rmSync(state, { recursive: true, force: true })
    for (const fault of faults.slice(0, 20)) console.error(fault)
    console.log(line)
    if (faults.length > 0) {
      process.exitCode = 1
      break
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
