import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitsAfter, longSubjects } from '../../scripts/checks/commits.ts'

const MISSING = '0'.repeat(40)
const folder = mkdtempSync(join(tmpdir(), 'commits-'))
const origin = join(folder, 'origin')
let base = ''

function git(at: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: at, encoding: 'utf8' }).trim()
}

function commit(subject: string): string {
  git(origin, 'commit', '--allow-empty', '-m', `${subject}\n\nA body that says why.`)
  return git(origin, 'rev-parse', 'HEAD')
}

/** Two commits before the base, the base, a branch of two commits, and its merge. */
beforeAll(() => {
  git(folder, 'init', '--initial-branch=main', origin)
  commit('First')
  base = commit('The base')
  git(origin, 'checkout', '-b', 'branch')
  commit('Second')
  commit('Third')
  git(origin, 'checkout', 'main')
  git(origin, 'merge', '--no-ff', 'branch', '-m', `Merge ${'x'.repeat(80)}`)
})

afterAll(() => rmSync(folder, { recursive: true }))

const subjectsAfter = (at: string, hash: string) =>
  commitsAfter(at, hash)
    .map(({ subject }) => subject)
    .toSorted()

/** A clone without the history before the last `depth` commits. */
function shallow(depth: number): string {
  const clone = join(folder, `shallow-${depth}`)
  git(folder, 'clone', '--depth', String(depth), `file://${origin}`, clone)
  return clone
}

describe('the commits after a base', () => {
  it('are neither the base, nor older, nor merges', () => {
    expect(subjectsAfter(origin, base)).toEqual(['Second', 'Third'])
  })

  it('are all that are there if the base is not', () => {
    expect(subjectsAfter(origin, MISSING)).toEqual(['First', 'Second', 'The base', 'Third'])
    expect(subjectsAfter(shallow(2), MISSING)).toEqual(['The base', 'Third'])
  })

  it('contain no merge at which a shallow clone ends', () => {
    expect(subjectsAfter(shallow(1), base)).toEqual([])
  })

  it('cannot be read where there is no repository', () => {
    const files = mkdtempSync(join(tmpdir(), 'no-commits-'))
    expect(() => commitsAfter(files, base)).toThrow('not a git repository')
    rmSync(files, { recursive: true })
  })
})

describe('a subject', () => {
  it('has at most 72 characters, not bytes', () => {
    const subjects = ['a'.repeat(72), 'é'.repeat(72), 'a'.repeat(73)]
    expect(longSubjects(subjects.map((subject) => ({ hash: 'abcdef0123456789', subject })))).toEqual([
      `abcdef01: the subject has 73 of at most 72 characters: ${'a'.repeat(73)}`,
    ])
  })
})
