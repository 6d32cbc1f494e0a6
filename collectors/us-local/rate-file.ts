import { STATE_FIPS } from '../../src/engine/regimes/us-local/state-fips.ts'
import type { LocalJurisdiction, LocalRate } from '../../src/engine/regimes/us-local/local-book.ts'
import { compactDay, dayPlus, lastDay } from './compact-day.ts'
import { understood, type Understood } from './odd-records.ts'

/**
 * The rate files of the Streamlined Sales Tax Governing Board: nine columns without a header. State,
 * type, code, general rate inside and across the border, the same for food and drugs, first and last day.
 */

/** A row: a jurisdiction of a type and code has a rate on its days. */
type RateRow = { type: RowType; code: string; rate: LocalRate }

/** How a type of jurisdiction counts. Composite codes (79) and tribal rates (49, 69) are totals. */
const TYPES = {
  '45': 'state',
  '00': 'county',
  '0': 'county',
  '01': 'city',
  '02': 'city',
  '63': 'district',
  '79': 'ignored',
  '49': 'ignored',
  '69': 'ignored',
} as const
type RowType = 'state' | 'county' | 'city' | 'district'
type FileType = keyof typeof TYPES

const COLUMNS = 9
const OPEN_ENDED = '2078-01-01'

/** What a type of the files is; undefined: the type is unknown. */
export function typeOf(text: string): RowType | 'ignored' | undefined {
  return isFileType(text) ? TYPES[text] : undefined
}

function isFileType(text: string): text is FileType {
  return Object.hasOwn(TYPES, text)
}

/** The rows of a rate file. Throws ParseError if too many are not understood. */
export function readRateRows(
  text: string,
  state: string,
  url: string,
): Understood<RateRow> & { records: number } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const read = (line: string) => {
    const row = readRow(line, state)
    return row === 'ignored' ? [] : row === null ? null : [row]
  }
  return { ...understood(lines, url, read, (line) => line), records: lines.length }
}

function readRow(line: string, state: string): RateRow | 'ignored' | null {
  const cells = line.split(',').map((cell) => cell.trim())
  const [fips = '', kind = '', code = '', , across = '', , food = '', begin = '', end = ''] = cells
  const type = typeOf(kind)
  if (cells.length !== COLUMNS || fips !== STATE_FIPS[state] || type === undefined) return null
  const [rate, food_rate] = [millionths(across), food === '' ? millionths(across) : millionths(food)]
  const [from, to] = [compactDay(begin), compactDay(end)]
  if (rate === null || food_rate === null || from === null || to === null || to < from) return null
  if (!/^[0-9A-Z]{1,7}$/i.test(code)) return null
  if (type === 'ignored') return 'ignored'
  if (type === 'state' && code !== fips) return null
  return {
    type,
    code: code.toUpperCase(),
    rate: {
      rate_millionths: rate,
      food_millionths: food_rate,
      from,
      to: to >= OPEN_ENDED ? null : lastDay(to),
    },
  }
}

/** A fraction with at most six digits as millionths; no combined rate is over 13.5 %. */
function millionths(text: string): number | null {
  if (!/^(?:0?\.\d{1,6}0*|0)$/.test(text)) return null
  const value = Math.round(Number(text) * 1_000_000)
  return value <= 135_000 ? value : null
}

/** The id of a jurisdiction of a state: `US-GA-121`, `US-GA-04000`, `US-MN-D-80001`, `US-WA-L1726`. */
function idOf(state: string, type: 'county' | 'city' | 'district', code: string): string {
  const district = type === 'district' && /^\d+$/.test(code)
  return `US-${state}-${district ? 'D-' : ''}${code}`
}

/** The rates of one jurisdiction, one after the other. If two overlap, the later begin wins. */
export function periodsOf(rates: readonly LocalRate[]): LocalRate[] {
  const sorted = rates.toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  return sorted.flatMap((rate, index) => {
    const next = sorted[index + 1]?.from ?? null
    if (next === null || (rate.to !== null && rate.to < next)) return [rate]
    return rate.from === next ? [] : [{ ...rate, to: dayPlus(next, -1) }]
  })
}

type RatesOfFile = {
  /** The rates of the state itself. */
  state_rates: readonly LocalRate[]
  jurisdictions: LocalJurisdiction[]
}

/**
 * The jurisdictions of a rate file, with the names that are known. `included`: the part of each county's
 * rate that the rate of the state in our book contains already (Nevada, Utah), in millionths.
 */
export function ratesOfFile(
  rows: readonly RateRow[],
  known: readonly LocalJurisdiction[],
  { state, included, source, as_of }: { state: string; included: number; source: string; as_of: string },
): RatesOfFile {
  const names = new Map(known.map((each) => [each.id, each]))
  const local = rows.flatMap(({ type, ...row }) => (type === 'state' ? [] : [{ type, ...row }]))
  const grouped = Map.groupBy(local, ({ type, code }) => idOf(state, type, padded(type, code)))
  const jurisdictions = [...grouped].flatMap(([id, [first, ...others]]): LocalJurisdiction[] => {
    if (first === undefined) return []
    const { type } = first
    const code = padded(type, first.code)
    const before = names.get(id)
    const whole = type === 'county' || (type === 'district' && WHOLE_DISTRICTS.has(state))
    const less = whole ? included : 0
    return [
      {
        id,
        state,
        type,
        code,
        name: before?.name ?? `${NAMES[type]} ${code}`,
        county_fips: type === 'county' ? `${STATE_FIPS[state]}${code}` : (before?.county_fips ?? null),
        rates: periodsOf([first, ...others].map(({ rate }) => lessThan(rate, less))),
        also: before?.also ?? [],
        zips: before?.zips ?? [],
        source,
        as_of,
      },
    ]
  })
  return { state_rates: rows.flatMap(({ type, rate }) => (type === 'state' ? [rate] : [])), jurisdictions }
}

/**
 * In Nevada the row of an improvement district (`32601`) has the whole rate of its place, as the row of a
 * county has. A place in a district bears that of the district alone.
 */
export const WHOLE_DISTRICTS: ReadonlySet<string> = new Set(['NV'])

const NAMES = { county: 'County', city: 'City', district: 'District' } as const

function padded(type: RateRow['type'], code: string): string {
  return type === 'county' && /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : code
}

/** Before the uniform part began to apply, the rate of a county may have been lower: then it adds nothing. */
function lessThan(rate: LocalRate, less: number): LocalRate {
  return less === 0 ? rate : { ...rate, rate_millionths: Math.max(rate.rate_millionths - less, 0) }
}
