import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * The options of a command by their names. What it does not know is said in a line, with what it knows, and
 * ends it.
 */
export function readOptions<Known extends Options>(options: Known) {
  return orExplain(options, () => parseArgs({ options })).values
}

/** Options, and what stands beside them. */
export function readArguments<Known extends Options>(options: Known) {
  return orExplain(options, () => parseArgs({ options, allowPositionals: true }))
}

function orExplain<Result>(options: Options, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    const known = Object.keys(options).map((name) => `--${name}`)
    console.error(`Options: ${known.join(' ')}`)
    process.exit(2)
  }
}
