import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { releaseOf } from '../../scripts/release.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-'))
const project = join(folder, 'project')
afterAll(() => rmSync(folder, { recursive: true }))

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  return spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' }).stdout.trim()
}

it('a release has its version, and its commit if the checkout has one of its own', () => {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "version": "1.2.3" }')
  // An archive that was unpacked within another repository.
  git(folder, 'init', '-q')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'of another project')
  expect(releaseOf(project)).toBe('1.2.3')
  git(project, 'init', '-q')
  expect(releaseOf(project)).toBe('1.2.3')
  git(project, 'add', '-A')
  git(project, 'commit', '-q', '-m', 'first')
  const commit = git(project, 'rev-parse', 'HEAD').slice(0, 12)
  expect(releaseOf(project)).toBe(`1.2.3+${commit}`)
  writeFileSync(join(project, 'package.json'), '{ "version": "1.2.4" }')
  expect(releaseOf(project)).toBe(`1.2.4+${commit}-dirty`)
})
