import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

const folder = mkdtempSync(join(tmpdir(), 'parts-'))
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })

beforeAll(() => {
  mkdirSync(join(folder, '.ci'))
  cpSync(join(PROJECT, '.ci/parts'), join(folder, '.ci/parts'))
  git('init', '--initial-branch=main')
  git('add', '.')
  git('commit', '-m', 'Begin')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The parts after a change of these files; of all files: without a commit to compare with. */
function partsAfter(...changed: string[]): string[] {
  for (const path of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${Math.random()}`)
  }
  git('add', '.')
  if (changed.length > 0) git('commit', '-m', 'Change')
  const base = changed.length > 0 ? ['HEAD^'] : []
  return JSON.parse(execFileSync('.ci/parts', base, { cwd: folder, encoding: 'utf8' }))
}

it('a change runs the parts that it can break, and a change of the tools runs all', () => {
  const all = partsAfter()
  expect(partsAfter('README.md')).toEqual(['form', 'code', 'tests'])
  expect(partsAfter('docs/quickstart.md')).toEqual(['form', 'code', 'tests', 'slow', 'served'])
  expect(partsAfter('plugins/medusa/a.ts')).toEqual(['form', 'code', 'tests', 'slow', 'clients'])
  expect(partsAfter('Dockerfile')).toEqual(['form', 'code', 'tests', 'slow'])
  expect(partsAfter('Dockerfile.demo')).toEqual(['form', 'code', 'tests', 'slow'])
  expect(partsAfter('README.md', 'src/sales/nexus/routes.ts')).toEqual(all)
  expect(partsAfter('package-lock.json')).toEqual(all)
})

it('each part is one of .ci/run, and a run of all has each', () => {
  const run = readFileSync(join(PROJECT, '.ci/run'), 'utf8')
  const [, whole = ''] = run.split('# These keep both cores busy.')
  for (const part of partsAfter()) {
    expect(run).toMatch(new RegExp(`^${part}\\(\\) \\{$`, 'm'))
    expect(whole).toMatch(new RegExp(`^ +${part}$`, 'm'))
  }
})
