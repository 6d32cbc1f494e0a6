import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../checks/git.ts'
import { unreleasedOf } from './changelog.ts'
import { packageFaults } from './packages.ts'

export function tagOf(version: string): string {
  return `v${version}`
}

/** A sentence for each reason why a checkout cannot be released under this version. */
export function releaseFaults(project: string, version: string): string[] {
  const tag = tagOf(version)
  const faults: [boolean, string][] = [
    [!/^\d+\.\d+\.\d+$/.test(version), `${version} is no version, such as 1.2.0`],
    [git(project, 'status', '--porcelain').trim() !== '', 'There are changes: commit them first'],
    [
      git(project, 'tag', '--list', tag).trim() !== '',
      `${tag} is tagged already: give the next version with --version`,
    ],
    [
      unreleasedOf(readFileSync(join(project, 'CHANGELOG.md'), 'utf8')) === '',
      'CHANGELOG.md has nothing under "Unreleased"',
    ],
  ]
  return [...faults.flatMap(([wrong, sentence]) => (wrong ? [sentence] : [])), ...packageFaults(project)]
}
