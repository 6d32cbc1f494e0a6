import { spawnSync } from 'node:child_process'

/** What the tests of plugins take for a machine that cannot run them. */
const SKIPPED = 77

const { error, status } = spawnSync('python3', ['-B', 'provider_test.py'], { stdio: 'inherit' })
if (error?.code === 'ENOENT') console.log('Skipped: python3 is not on this machine')
else if (error) throw error
process.exitCode = error ? SKIPPED : (status ?? 1)
