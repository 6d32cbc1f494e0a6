import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstDayOf, monthOf } from '../../src/platform/kit/calendar.ts'
import { git } from '../checks/git.ts'
import { daysOf } from '../shipped-data/shipped-rates.ts'
import { unreleasedOf } from './changelog.ts'
import { packageFaults } from './packages.ts'

export function tagOf(version: string): string {
  return `v${version}`
}

/** The exchange rates of the month of a release must be in it: a British return of its days needs them. */
export const MONTHLY_RATES = 'data/published-rates/hmrc.csv'

/** A sentence for each reason why a checkout cannot be released under this version on this day. */
export function releaseFaults(project: string, version: string, day: string): string[] {
  const tag = tagOf(version)
  const months = daysOf(readFileSync(join(project, MONTHLY_RATES), 'utf8'))
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
    [
      !months.some((each) => each.day === firstDayOf(monthOf(day))),
      `${MONTHLY_RATES} lacks ${monthOf(day)}: npm run collect -- FX-HMRC, then npm run exchange-rates:write`,
    ],
  ]
  return [...faults.flatMap(([wrong, sentence]) => (wrong ? [sentence] : [])), ...packageFaults(project)]
}
