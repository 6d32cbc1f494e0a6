import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

/** What a command of lab/ prints of a few requests. */
async function printed(command: string): Promise<string> {
  const args = [join(PROJECT, `lab/${command}.ts`), '--short']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT })
  return stdout
}

// The weekly run measures. These start the commands, so that they do not break meanwhile.
it('npm run bench measures each kind of request, the engine, and starts', async () => {
  const text = await printed('bench')
  expect(text).toContain('POST /v1/calculate, 1 line')
  expect(text).toContain('trips')
})

it('npm run steps measures each step of a calculation', async () => {
  expect(await printed('steps')).toMatch(/with the engine: the service +\|? *\d+/)
})
