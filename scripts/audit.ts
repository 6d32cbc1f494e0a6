import { spawnSync } from 'node:child_process'
import { verdictOf } from './audit-verdict.ts'
import { PROJECT } from './wrangler.ts'

// Fails if a deployed package has a known fault that is high or critical. Passes if the registry has no list
// of faults.
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: PROJECT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const { ok, line } = verdictOf(stdout)
console.log(line)
process.exitCode = ok ? 0 : 1
