import { readFileSync } from 'node:fs'
import { parseCases, runCase } from './arithmetic-cases.ts'

const USAGE = `Usage:
  npm run -s conformance -- FILE

  FILE   cases in the shape of test/conformance/arithmetic.json`

process.exitCode = main(process.argv.slice(2))

/** Exit code 0: every expectation is met. 1: a case differs. 2: there are no cases to run. */
function main([file, ...rest]: readonly string[]): number {
  if (file === '--help') {
    console.log(USAGE)
    return 0
  }
  if (file === undefined || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  try {
    const results = parseCases(readFileSync(file, 'utf8')).map(runCase)
    for (const result of results) console.log(JSON.stringify(result))
    return results.some((result) => result.ok === false) ? 1 : 0
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  }
}
