import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Reads the options of a command. `--help` prints all options and ends the command. An unknown option does
 * the same, with an error.
 */
export function readOptions<Known extends Options>(options: Known) {
  return orExplain(options, () => parseArgs({ options })).values
}

/** Reads the options and the positional arguments of a command, like `readOptions`. */
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
