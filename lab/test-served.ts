import { runTests } from './run-tests.ts'
import { secondLook } from './second-look.ts'

/**
 * Runs the tests in a browser, and the samples of the reference. In CI, files with a failed test run once
 * more, in a new service: on a busy machine a click may come between two frames, and what it left in an
 * account would fail each further try there. At a desk, the first failure counts.
 */
const ARGS = ['--project', 'long-served']

const failed = runTests([...ARGS, ...process.argv.slice(2)])
const counts =
  process.env['CI'] === undefined ? failed : secondLook(failed, (files) => runTests([...ARGS, ...files]))
process.exitCode = counts.length > 0 ? 1 : 0
