import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

/** Runs the check as a Node of this version would. */
const checkWith = (version: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })
       await import('./scripts/needs-node.mjs')`,
    ],
    { cwd: PROJECT, encoding: 'utf8' },
  )

it('a Node that cannot read TypeScript is named with the one that is needed, and how to have it', () => {
  const { status, stderr } = checkWith('20.20.2')
  expect(status).toBe(1)
  expect(stderr).toContain('This needs Node 24, and Node 20.20.2 runs it.')
  expect(stderr).toContain('npm rebuild node')
})

it('says nothing to the Node of .nvmrc, and to one after it', () => {
  const of_project = readFileSync(join(PROJECT, '.nvmrc'), 'utf8').trim()
  for (const version of [of_project, '26.0.0'])
    expect(checkWith(version)).toMatchObject({ status: 0, stderr: '', stdout: '' })
})

it.each(['dev', 'test', 'check', 'generate'])('npm run %s begins with that check', (command) => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  expect(scripts[`pre${command}`]).toBe('node scripts/needs-node.mjs')
})
