import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import * as z from 'zod'
import { PROJECT } from '../scripts/wrangler.ts'

/** A test that failed, or null for a file that could not be loaded. */
export type FailedTest = { file: string; test: string | null }

const Report = z.object({
  numTotalTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

/**
 * Runs vitest with these arguments, and returns what failed. Throws if no test ran, or if the run itself
 * failed, as when a service did not start.
 */
export function runTests(args: readonly string[], env: NodeJS.ProcessEnv = process.env): FailedTest[] {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: PROJECT,
      stdio: 'inherit',
      env,
    })
    const failed = failuresIn(readFileSync(report, 'utf8'))
    if (status !== 0 && failed.length === 0) throw new Error('the run failed, and no test of it')
    return failed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What failed, by a JSON report of vitest. */
export function failuresIn(report: string): FailedTest[] {
  const { numTotalTests, testResults } = Report.parse(JSON.parse(report))
  if (numTotalTests === 0) throw new Error('no test ran')
  return testResults.flatMap(({ name, status, assertionResults }): FailedTest[] => {
    const file = relative(PROJECT, name)
    const failed = assertionResults.filter((each) => each.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [{ file, test: null }] : []
    return failed.map(({ fullName }) => ({ file, test: fullName }))
  })
}

export function nameOf({ file, test }: FailedTest): string {
  return test === null ? file : `${file}: ${test}`
}
