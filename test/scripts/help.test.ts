import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

it.each([
  ['scripts/dev.ts', '--persist-to'],
  ['scripts/keys.ts', '--account'],
  ['scripts/collect.ts', '--dry-run'],
  ['scripts/deploy.ts', '--dry-run'],
  ['scripts/conformance.ts', 'FILE'],
  ['scripts/generate-migration.ts', 'name_of_the_change'],
  ['lab/fuzz.ts', '--seed'],
  ['lab/bench.ts', '--rounds'],
])('%s --help prints its options, and does nothing else', (file, option) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(option)
  expect(stdout).not.toContain('…')
})
