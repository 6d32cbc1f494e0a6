import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  countryLiterals,
  type Fault,
  folderPairs,
  longLines,
  repeatedTypes,
  type Sources,
} from './checks/style.ts'
import { PROJECT } from './wrangler.ts'

/**
 * The rules of style that oxlint and oxfmt do not have. Titles, statements and documents of tests may have
 * longer lines.
 */
const FOLDERS_WITH_LONG_LINES: readonly string[] = ['test/']

const long = longLines(
  read(
    ['{src,collectors,client,scripts,lab,test}/**/*.{ts,tsx,mjs}', '*.config.ts'],
    ['client/src/schema.ts', 'client/dist/**'],
  ),
)

const faults: Fault[] = [
  ...repeatedTypes(read(['src/**/*.{ts,tsx}'])),
  ...long.filter(({ path }) => !FOLDERS_WITH_LONG_LINES.some((folder) => path.startsWith(folder))),
  ...folderPairs(read(['{src,collectors}/**/*.{ts,tsx}'])),
  ...countryLiterals(read(['src/tax/**/*.ts'], ['src/tax/regimes/**', 'src/tax/book/**'])),
]
for (const { path, line, message } of faults) console.error(`${path}:${line}: ${message}`)
process.exitCode = faults.length > 0 ? 1 : 0

reportNotNeeded(FOLDERS_WITH_LONG_LINES, (folder) => long.some(({ path }) => path.startsWith(folder)))

/** Only warns, so that several people can remove entries at the same time. */
function reportNotNeeded(entries: Iterable<string>, isNeeded: (entry: string) => boolean): void {
  for (const entry of entries)
    if (!isNeeded(entry))
      console.warn(`scripts/check-style.ts: remove the exception of ${entry}, it is not needed any more`)
}

function read(patterns: string[], exclude: string[] = []): Sources {
  const paths = globSync(patterns, { cwd: PROJECT, exclude }).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')]))
}
