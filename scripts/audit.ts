import { spawnSync } from 'node:child_process'
import { verdictOf } from './audit-verdict.ts'
import { PROJECT } from './wrangler.ts'

// Fails on a known fault, grave or worse, of what is deployed. A registry that keeps no list of faults is no
// fault.
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: PROJECT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const { ok, line } = verdictOf(stdout)
console.log(line)
process.exitCode = ok ? 0 : 1
