import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOfKept, tagBefore, releaseNamed } from '../../scripts/checks/last-release.ts'

const folder = mkdtempSync(join(tmpdir(), 'releases-'))
const commits: Record<string, string> = {}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

function commit(subject: string): void {
  git('commit', '--allow-empty', '-m', subject)
  commits[subject] = git('rev-parse', 'HEAD')
}

beforeAll(() => {
  git('init', '--initial-branch=main')
  commit('Without a tag')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the release before', () => {
  it('is not known without a tag, and must be named', () => {
    expect(tagBefore(folder)).toBeNull()
    expect(() => releaseNamed(folder, undefined)).toThrow('There is no tag')
    expect(releaseNamed(folder, 'main')).toEqual({ tag: null, commit: commits['Without a tag'] })
  })

  it('of a tagged commit is the tag before it, and afterwards that tag', () => {
    git('tag', 'v1')
    commit('More')
    git('tag', 'v2')
    expect(tagBefore(folder)).toEqual({ tag: 'v1', commit: commits['Without a tag'] })
    commit('Keep v2')
    expect(tagBefore(folder)).toEqual({ tag: 'v2', commit: commits['More'] })
    expect(releaseNamed(folder, undefined)).toEqual({ tag: 'v2', commit: commits['More'] })
  })

  it('must be the kept one', () => {
    const before = tagBefore(folder)
    expect(faultOfKept({ tag: 'v2', commit: commits['More'] ?? '' }, before)).toBeNull()
    expect(faultOfKept({ tag: 'v1', commit: 'x' }, before)).toContain(
      'names v1, and the release before is v2',
    )
    expect(faultOfKept({ tag: 'v1', commit: 'x' }, null)).toBeNull()
  })
})
