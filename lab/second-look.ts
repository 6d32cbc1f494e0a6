import { type FailedTest, nameOf } from './run-tests.ts'

/**
 * Runs the files with a failed test once more. Returns what failed twice, and prints what failed as the last
 * lines of the run: look for the cause before a test fails twice.
 */
export function secondLook(
  failed: readonly FailedTest[],
  run: (files: readonly string[]) => readonly FailedTest[],
  print: (line: string) => void = console.log,
): readonly FailedTest[] {
  if (failed.length === 0) return []
  const files = [...new Set(failed.map(({ file }) => file))]
  print(`\n== A second look at ${files.join(', ')}`)
  const again = run(files)
  print(['', 'Failed at the first look:', ...failed.map(nameOf)].join('\n  '))
  if (again.length > 0) print(['Failed at the second look:', ...again.map(nameOf)].join('\n  '))
  return again
}
