import type { LocalRate } from '../../../src/engine/regimes/us-local/local-book.ts'
import { compactDay, dayPlus } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import type { ListDocument, ListEntries, ListReading, StateList } from './list.ts'

/** Records of 211 characters (form IDR-1024): the rates in force, and those of the period before. */
export const illinois: StateList = {
  state: 'IL',
  source: 'Illinois Department of Revenue, machine-readable rates (IDR-1024)',
  source_url: 'https://tax.illinois.gov/research/taxrates/st.html',
  variable: 'SOURCE_US_LOCAL_IL',
  request: () => ({
    url:
      'https://tax.illinois.gov/content/dam/soi/en/web/tax/research/taxrates/documents/salestaxrates/' +
      'ordmache-current.txt',
    accept: 'text/plain, application/octet-stream',
  }),
  format: 'text',
  read: readIllinois,
  rows_min: 1_200,
}

const LENGTH_MIN = 208
/** The state's part of the tax on food: 1 % until it ended with 2025. */
const FOOD_FREE_FROM = '2026-01-01'
const FOOD_BEFORE = 10_000

function readIllinois({ url, text }: ListDocument, { state_rate }: ListReading): ListEntries {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const read = (line: string) => readRecord(line, state_rate)
  const { made, odd } = understood(lines, url, read, (line) => line)
  return { entries: made, odd, records: lines.length }
}

function readRecord(line: string, state_rate: number): Entry[] | null {
  if (line.length < LENGTH_MIN || !/^\d{3}-\d{4}-\d/.test(line)) return null
  const [name, county] = [line.slice(10, 35).trim(), line.slice(35, 60).trim()]
  const from = compactDay(line.slice(61, 69))
  const [general, food] = [digits(line, 69), digits(line, 74)]
  if (from === null || general === null || food === null || name === '') return null
  // Places of other states have no county.
  if (county === '') return []
  const type = line.slice(4, 8) === '5000' ? 'county' : 'city'
  const place = { type, name, county, code: line.slice(0, 10) } as const
  // The address decides inside of the place, so its record has no rate.
  if (general === 0) return [{ ...place, rates: [], address_decides: true }]
  if (general < state_rate) return null
  const now = { ...partOf(general, food, from, state_rate), from, to: null }
  return [{ ...place, rates: [...earlier(line, from, state_rate), now] }]
}

/** The period before, if the record has one with a rate. */
function earlier(line: string, until: string, state_rate: number): LocalRate[] {
  const [from, general, food] = [compactDay(line.slice(132, 140)), digits(line, 148), digits(line, 153)]
  if (from === null || general === null || food === null || general < state_rate || from >= until) return []
  return [{ ...partOf(general, food, from, state_rate), from, to: dayPlus(until, -1) }]
}

function partOf(general: number, food: number, from: string, state_rate: number) {
  const of_state = from >= FOOD_FREE_FROM ? 0 : FOOD_BEFORE
  return { rate_millionths: general - state_rate, food_millionths: Math.max(food - of_state, 0) }
}

/** Five digits, of which three are behind the point of a percentage: `10500` is 10.5 %. */
function digits(line: string, at: number): number | null {
  const text = line.slice(at, at + 5)
  return /^\d{5}$/.test(text) && Number(text) <= 13_500 ? Number(text) * 10 : null
}
