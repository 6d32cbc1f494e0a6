import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * The options of a command by their names. `--help` prints what there is and ends the command, and so does
 * an option that it does not know, as an error.
 */
export function readOptions<Known extends Options>(options: Known) {
  return orExplain(options, () => parseArgs({ options })).values
}

/** Options, and what stands beside them. */
export function readArguments<Known extends Options>(options: Known) {
  return orExplain(options, () => parseArgs({ options, allowPositionals: true }))
}

function orExplain<Result>(options: Options, read: () => Result): Result {
  const names = Object.keys(options).map((name) => `--${name}`)
  const usage = `Options: ${names.join(' ')}`
  if (process.argv.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return read()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(usage)
    process.exit(2)
  }
}
