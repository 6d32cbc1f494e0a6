import { expect, it } from 'vitest'
import { failuresIn, type FailedTest } from '../../lab/run-tests.ts'
import { secondLook } from '../../lab/second-look.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const FAILED: FailedTest[] = [
  { file: 'a.test.ts', test: 'opens the page' },
  { file: 'a.test.ts', test: 'closes it' },
  { file: 'b.test.ts', test: null },
]

function lookAgain(failed: readonly FailedTest[], again: readonly FailedTest[]) {
  const runs: (readonly string[])[] = []
  const lines: string[] = []
  const run = (files: readonly string[]) => {
    runs.push(files)
    return again
  }
  const counts = secondLook(failed, run, (line) => lines.push(line))
  return { counts, runs, printed: lines.join('\n') }
}

it('runs each file with a failed test once more, and names the tests if they pass now', () => {
  const { counts, runs, printed } = lookAgain(FAILED, [])
  expect(runs).toEqual([['a.test.ts', 'b.test.ts']])
  expect(counts).toEqual([])
  expect(printed).toMatch(
    /first look:\n {2}a.test.ts: opens the page\n {2}a.test.ts: closes it\n {2}b.test.ts$/,
  )
})

it('fails by what fails twice', () => {
  const { counts, printed } = lookAgain(FAILED, FAILED.slice(1, 2))
  expect(counts).toEqual(FAILED.slice(1, 2))
  expect(printed).toMatch(/second look:\n {2}a.test.ts: closes it$/)
})

it('runs nothing again if nothing failed', () => {
  expect(lookAgain([], FAILED)).toEqual({ counts: [], runs: [], printed: '' })
})

it('reads what failed in a report, also a file that could not be loaded, and refuses a run of no test', () => {
  const report = (numTotalTests: number) => {
    const tests = [
      { fullName: 'opens the page', status: 'failed' },
      { fullName: 'shows a sale', status: 'passed' },
    ]
    const testResults = [
      { name: `${PROJECT}/a.test.ts`, status: 'failed', assertionResults: tests },
      { name: `${PROJECT}/b.test.ts`, status: 'failed', assertionResults: [] },
      { name: `${PROJECT}/c.test.ts`, status: 'passed', assertionResults: tests.slice(1) },
    ]
    return JSON.stringify({ numTotalTests, testResults })
  }
  expect(failuresIn(report(3))).toEqual([FAILED[0], FAILED[2]])
  expect(() => failuresIn(report(0))).toThrow('no test ran')
})
