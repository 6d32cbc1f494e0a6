import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/wrangler.ts'

const page = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8')

/** The rows of the tables below a heading, each as its cells. */
function rowsBelow(heading: string): string[][] {
  const [, text = ''] = page.split(`\n## ${heading}`)
  const [section = ''] = text.split('\n## ')
  return section
    .split('\n')
    .filter((line) => /^\| (API\d|\d)/.test(line))
    .map((line) => line.split('|').flatMap((cell) => cell.trim() || []))
}

/** The tests that a cell names: a path, and each title after it. */
function testsIn(cell: string): (readonly [path: string, title: string])[] {
  let path = ''
  return [...cell.matchAll(/`([^`]+)`(:)?/g)].flatMap(([, text = '', colon]) => {
    if (colon === undefined) return [[path, text] as const]
    path = text
    return []
  })
}

const RISKS = rowsBelow('The ten risks of the OWASP API Security Top 10 (2023)')
const REQUIREMENTS = rowsBelow('The requirements of OWASP ASVS 5.0')

describe('the page on security', () => {
  it('has a row for each of the ten risks, and one for each requirement once', () => {
    expect(RISKS.map(([risk = '']) => risk.split(' ')[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    )
    expect(REQUIREMENTS.length).toBeGreaterThan(100)
    const names = REQUIREMENTS.map(([name = '']) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^\d+\.\d+\.\d+( \(L3\))?$/)
  })

  it('says of each requirement whether it holds, and counts them', () => {
    const count = (word: string) => REQUIREMENTS.filter(([, , here = '']) => here.startsWith(word)).length
    const [hold, partly, of_others, not_here] = ['Holds', 'In part', 'Of the', 'Not here'].map(count)
    expect((hold ?? 0) + (partly ?? 0) + (of_others ?? 0) + (not_here ?? 0)).toBe(REQUIREMENTS.length)
    expect(page.replaceAll('\n', ' ')).toContain(
      `Of ${REQUIREMENTS.length} rows, ${hold} hold, ${partly} hold in part, ${of_others} are of the operator ` +
        `or the platform, and ${not_here} are not here.`,
    )
  })

  it('names for each thing that holds a test that exists, by its file and title', () => {
    for (const [name, ...cells] of [...RISKS, ...REQUIREMENTS]) {
      const tests = testsIn(cells.at(-1) ?? '')
      if (name?.startsWith('API') || cells[1]?.startsWith('Holds'))
        expect(tests.length, name).toBeGreaterThan(0)
      for (const [path, title] of tests)
        expect(readFileSync(join(PROJECT, path), 'utf8').includes(title), `${name}: ${title}`).toBe(true)
    }
  })
})
