import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { reasonWords } from '../../console/words.ts'
import { TAXABILITY_REASONS } from '../../src/engine/found/assessment.ts'

/** Comments are for engineers. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

/** Words that no US controller or European accountant uses, with the usual ones. */
const MARKS: readonly (readonly [words: RegExp, usual: string])[] = [
  [/\bfree[sd]? (no )?sales?\b|\bfrees\b/i, 'exempts, exempt in'],
  [/\bon file\b/i, 'known, saved, recorded'],
  [/\bany more\b/i, 'no longer'],
  [/\bneither\b.*\bnor\b/i, 'leave out'],
  [/\bwhat became of\b/i, 'filing details'],
  [/\bis told\b|\bare told\b/i, 'is notified'],
  [/['"`>]\s*(Nothing|Nobody|None|Who) (is|was|needs|has|:)/, 'No …'],
  [/['"`>]\s*None: /, 'a sentence with because'],
  [
    /: (choose|check|give|type|tell|use) (it|a|an|the|more|fewer|them|this|why)\b[^'"`<]*\.['"`<]/i,
    'a sentence of its own',
  ],
]

it.each(globSync('console/**/*.{ts,tsx}'))('%s speaks the words of the trade', (path) => {
  const lines = withoutComments(readFileSync(path, 'utf8')).split('\n')
  const found = lines.flatMap((line) =>
    MARKS.filter(([words]) => words.test(line)).map(([, usual]) => `${line.trim()}: write ${usual}`),
  )
  expect(found).toEqual([])
})

it('a reason is a phrase, and not a code with spaces', () => {
  const words = TAXABILITY_REASONS.map(reasonWords)
  expect(words).toContain('Exempt customer')
  expect(words.filter((each) => /rated|portion|not supported|_/i.test(each))).toEqual([])
  expect(new Set(words).size).toBe(words.length)
})
