import {
  countryLiterals,
  type Fault,
  importsUpward,
  longLines,
  repeatedTypes,
  unboundedHeaders,
  unreadExports,
} from './checks/style.ts'
import { longFiles, recordFaults } from './checks/paper.ts'
import { foreignGuides, foreignTexts } from './checks/words.ts'
import { FACTS_REGIONS } from '../src/engine/book/regions.ts'
import { readFacts } from './read-facts.ts'
import { readRepository, readSources, recordedCases } from './read-sources.ts'

/**
 * The rules of style that oxlint and oxfmt do not have. Titles, statements and documents of tests may have
 * longer lines.
 */
const FOLDERS_WITH_LONG_LINES: readonly string[] = ['test/']

const long = longLines(
  readSources(
    ['{src,console,collectors,client,scripts,lab,test}/**/*.{ts,tsx,mjs}', '*.config.ts'],
    ['client/src/schema.ts', 'client/dist/**', '**/*.generated.ts'],
  ),
)

/** Files that name countries outside the regimes, each with the reason. */
const FILES_WITH_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['src/sales/calculation/rule-schemas.ts', '`US-TAX` is the older name of the region'],
  ['src/returns/filing/return-taxes.ts', 'local taxes of the United States alone are named'],
  ['src/returns/rows/report-lines-store.ts', 'a condition of SQL: lines of a state keep their breakdown'],
  ['src/interfaces/taxjar/countries.ts', 'what the form of TaxJar says of each of these countries'],
])

/** Files that import a higher folder of their wing, each with the reason. */
const FILES_WITH_HIGHER_IMPORTS: ReadonlyMap<string, string> = new Map([
  ['src/engine/sale/sale.ts', 'the type of the functions that a seller with own rates brings'],
])

const upward = importsUpward(readSources(['{src,collectors}/**/*.{ts,tsx}']))
const isAllowed = ({ path, message }: Fault) =>
  FILES_WITH_HIGHER_IMPORTS.has(path) && message.endsWith('in a higher folder of its wing')

const { jurisdictions } = readFacts()
const countries = countryLiterals(
  readSources(
    [
      'src/{engine,returns}/**/*.{ts,tsx}',
      'src/sales/{transactions,calculation}/**/*.{ts,tsx}',
      'src/interfaces/{taxjar,pages}/**/*.{ts,tsx}',
    ],
    ['src/engine/regimes/**', 'src/engine/book/**'],
  ),
  FACTS_REGIONS.map(codesOfRegion),
)

const repository = readRepository()

const faults: Fault[] = [
  ...recordFaults(recordedCases(repository)),
  ...longFiles(repository),
  ...repeatedTypes(readSources(['src/**/*.{ts,tsx}'])),
  // The console is a program of its own, for browsers.
  ...repeatedTypes(readSources(['console/**/*.{ts,tsx}'])),
  ...long.filter(({ path }) => !FOLDERS_WITH_LONG_LINES.some((folder) => path.startsWith(folder))),
  ...unboundedHeaders(
    // The last one reads the answer of a receiver, and bounds it itself.
    readSources(['src/**/*.{ts,tsx}'], ['src/platform/kit/header.ts', 'src/notices/delivery/post.ts']),
  ),
  ...upward.filter((each) => !isAllowed(each)),
  ...unreadExports(
    // vitest.config.ts names the file, and vitest calls `setup`.
    readSources(
      ['{src,collectors,scripts,lab,console,test}/**/*.{ts,tsx}'],
      ['test/support/serve-project.ts'],
    ),
    readSources([
      '{src,collectors,scripts,lab,console,client/{src,offline},test,examples}/**/*.{ts,tsx,mjs}',
      '*.config.ts',
    ]),
  ),
  ...foreignTexts(
    readSources(
      [
        '{src,console}/**/*.{ts,tsx}',
        'client/{src,offline}/**/*.ts',
        'scripts/openapi/*.ts',
        'scripts/*-page.ts',
      ],
      ['**/*.generated.ts', 'client/src/schema.ts'],
    ),
  ),
  // The glossary names the marks, and the changelog has the words of its day.
  ...foreignGuides(readSources(['docs/*.md', 'README.md'], ['docs/glossary.md'])),
  ...countries.filter(({ path }) => !FILES_WITH_COUNTRIES.has(path)),
]
for (const { path, line, message } of faults) console.error(`${path}:${line}: ${message}`)
process.exitCode = faults.length > 0 ? 1 : 0

reportNotNeeded(FILES_WITH_COUNTRIES.keys(), (file) => countries.some(({ path }) => path === file))
reportNotNeeded(FILES_WITH_HIGHER_IMPORTS.keys(), (file) => upward.some(({ path }) => path === file))
reportNotNeeded(FOLDERS_WITH_LONG_LINES, (folder) => long.some(({ path }) => path.startsWith(folder)))

/** The id of a region, and the code of its country unless it has several: `UK` and `GB`. */
function codesOfRegion(region: string): string[] {
  const found = jurisdictions.filter((each) => each.type === 'country' && each.region === region)
  return [region, ...(found.length === 1 ? found.map(({ id }) => id) : [])]
}

/** Only warns, so that several people can remove entries at the same time. */
function reportNotNeeded(entries: Iterable<string>, isNeeded: (entry: string) => boolean): void {
  for (const entry of entries)
    if (!isNeeded(entry))
      console.warn(`scripts/check-style.ts: remove the exception of ${entry}, it is not needed any more`)
}
