import type { Reporter, TestModule } from 'vitest/node'

/** A part of a test module, as the report reads it. */
type Tried = { fullName: string; diagnostic: () => { retryCount: number } | undefined }
type Module = Pick<TestModule, 'moduleId'> & { children: { allTests: () => Iterable<Tried> } }

/** A line for each test that needed more than one try. */
export function retriedTests(modules: readonly Module[]): string[] {
  return modules.flatMap(({ moduleId, children }) =>
    [...children.allTests()].flatMap((test) => {
      const tries = test.diagnostic()?.retryCount ?? 0
      return tries === 0 ? [] : [`${moduleId}: ${test.fullName} (retried: ${tries})`]
    }),
  )
}

/** Names them at the end of a run: look for the cause before one fails at each try. */
export const RETRIED_REPORTER: Reporter = {
  onTestRunEnd(modules) {
    const lines = retriedTests(modules)
    if (lines.length > 0) console.log(['Retried tests:', ...lines, ''].join('\n'))
  },
}
