import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CountryFile,
  countryOf,
  type FileOfCountries,
  CountryReturnsRecord,
  recordsOfCountries,
} from './shipped-data/country-file.ts'

const DATA = join(import.meta.dirname, '../data')

/** The files of data/countries, by their codes. Throws an Error that names a file of another form. */
export function countryFiles(): CountryFile[] {
  const paths = globSync('countries/*.json', { cwd: DATA }).toSorted()
  return paths.map((path) => {
    const { success, data, error } = CountryFile.safeParse(JSON.parse(readFileSync(join(DATA, path), 'utf8')))
    if (!success) throw new Error(`data/${path}: ${error.message}`)
    return data
  })
}

/** The records of a file of data/, and those that the countries add to it. */
export function readRecords(name: string): unknown[] {
  const own: unknown[] = JSON.parse(readFileSync(join(DATA, `${name}.json`), 'utf8'))
  return [...own, ...recordsOfCountries(countryFiles(), name as FileOfCountries)]
}

/** The modules that are made of data/countries. All other code needs them. */
export function countryModules(): Map<string, string> {
  const files = countryFiles()
  const codes = files.filter(({ law }) => law !== null).map(({ country }) => country)
  return new Map([
    [
      'src/engine/book/country-codes.generated.ts',
      `${HEAD}/** Countries of which only what sellers abroad sell there is covered. */\n` +
        `export const COUNTRY_CODES = ${JSON.stringify(codes)} as const\n`,
    ],
    [
      'src/tax-data/records/countries.generated.ts',
      `${HEAD}import type { Country } from '../../engine/book/countries.ts'\n\n` +
        `export const COUNTRIES: readonly Country[] = ${JSON.stringify(files.map(countryOf))}\n`,
    ],
    ['src/returns/due/country-calendar.generated.ts', calendarOf(files)],
    ['src/parties/vat/formats.generated.ts', formats()],
    ['src/parties/vat/validators.generated.ts', validators()],
  ])
}

/** The returns of the countries. A rule without a day says how often a country files. */
function calendarOf(files: readonly CountryFile[]): string {
  const records = recordsOfCountries(files, 'filing-calendar').map((each) => {
    const { evidence: _, ...rest } = CountryReturnsRecord.parse(each)
    return rest
  })
  return (
    `${HEAD}import type { CountryReturns } from './country-returns.ts'\n\n` +
    `export const COUNTRY_CALENDAR: readonly CountryReturns[] = ${JSON.stringify(records)}\n`
  )
}

const HEAD = '/* Made by scripts/generate.ts from data/. */\n'

/** A record of a format, and the fields of it that a check needs. */
type FormatRecord = Record<(typeof FIELDS_OF_FORMAT)[number], unknown> & { validators: string[] }
const FIELDS_OF_FORMAT = [
  'country',
  'prefix',
  'regex',
  'business_regex',
  'shows_business',
  'structure',
  'validators',
  'example',
  'source',
  'source_url',
] as const

const readFormats = () => readRecords('vat-formats') as FormatRecord[]

function formats(): string {
  const records = readFormats().map((each) =>
    Object.fromEntries(FIELDS_OF_FORMAT.flatMap((field) => (field in each ? [[field, each[field]]] : []))),
  )
  return `${HEAD}export const FORMAT_RECORDS = ${JSON.stringify(records)}\n`
}

/**
 * The validators that formats name. Each is imported by itself, because the library as a whole would be a
 * sixth of the Worker.
 */
function validators(): string {
  const names = [...new Set(readFormats().flatMap((each) => each.validators))].toSorted()
  const nameOf = (validator: string) => validator.replace('.', '_').toLowerCase()
  const pathOf = (validator: string) => `stdnum/lib/cjs/${validator.replace('.', '/').toLowerCase()}.js`
  return [
    HEAD,
    ...names.map((each) => `import * as ${nameOf(each)} from '${pathOf(each)}'\n`),
    '\n/** Whether a number of the library is valid. */\n',
    'type Validate = (number: string) => { isValid: boolean }\n\n',
    '/** The validators that formats name, by country and number. */\n',
    'export const VALIDATORS: ReadonlyMap<string, Validate> = new Map([\n',
    ...names.map((each) => `  ['${each}', ${nameOf(each)}.validate],\n`),
    '])\n',
  ].join('')
}
