import { STATE_FIPS } from '../../src/engine/regimes/us-local/state-fips.ts'
import { ParseError } from '../collector.ts'
import { typeOf, WHOLE_DISTRICTS } from './rate-file.ts'

/** A tax that a record may name, by type and code. */
export type RatedCode = { id: string; type: 'county' | 'city' | 'district'; code: string; rate: number }

export type StacksTask = {
  state: string
  /** The jurisdictions that have a tax on the day. */
  rated: readonly RatedCode[]
  /** By the id of a tax: taxes of the same place that the files of the state leave out. */
  unfiled?: ReadonlyMap<string, readonly RatedCode[]>
  /** Whether the tax of a city contains that of its county. */
  city: 'adds' | 'replaces' | 'none'
  url: string
}

/** The state of a record is in this column; what follows decides who taxes. */
export const TAIL_COLUMN = 22
const COLUMNS_MIN = 89
const COLUMNS_MAX = 92
const DISTRICTS_FROM = 29 - TAIL_COLUMN
const DISTRICTS_MAX = 20
const STACKS_MAX = 0x3ffe

/** The combinations of taxes that the records of a boundary file name: its stacks, which have numbers. */
export class StacksOfFile {
  /** The ids of the taxes of each stack. */
  readonly ids: string[][] = []
  readonly #task: StacksTask
  readonly #byCode: ReadonlyMap<string, readonly RatedCode[]>
  readonly #rates: number[] = []
  readonly #byIds = new Map<string, number>()
  readonly #byTail = new Map<string, number>()

  constructor(task: StacksTask) {
    this.#task = task
    this.#byCode = Map.groupBy(task.rated, ({ code }) => code)
  }

  /** The sum of the rates of a stack, millionths. */
  rateOf(stack: number): number {
    return this.#rates[stack] ?? 0
  }

  /** The highest sum of the rates of a stack, millionths. */
  highestRate(): number {
    return Math.max(...this.#rates)
  }

  /**
   * The stack of a record by its text from column 22 on: a file has few different ones. Null: the text is not
   * understood. Throws ParseError for too many stacks.
   */
  stackOf(tail: string): number | null {
    const known = this.#byTail.get(tail)
    if (known !== undefined) return known
    const named = this.#taxesOf(tail.split(',').map((cell) => cell.trim()))
    if (named === null) return null
    const stack = this.#numberOf(this.#counting(named))
    this.#byTail.set(flat(tail), stack)
    return stack
  }

  #taxesOf(cells: readonly string[]): RatedCode[] | null {
    const columns = TAIL_COLUMN + cells.length
    const [fips = '', indicator = '', county = '', place = ''] = cells
    const own = STATE_FIPS[this.#task.state]
    if (columns < COLUMNS_MIN || columns > COLUMNS_MAX || fips !== own || !['', own].includes(indicator))
      return null
    const named = [...this.#named('county', county), ...this.#named('city', place)]
    for (const { type, code } of districtsOf(cells)) {
      const kind = typeOf(type)
      if (kind === undefined) return null
      // Washington files its codes as districts, and names them as states in this file.
      if (kind !== 'ignored') named.push(...this.#named(kind === 'state' ? 'district' : kind, code))
    }
    return named
  }

  /** The tax of a code by its type, else the only other one with the code; without a rate it adds nothing. */
  #named(type: RatedCode['type'], code: string): RatedCode[] {
    if (code === '') return []
    const padded = type === 'county' && /^\d+$/.test(code) ? code.padStart(3, '0') : code.toUpperCase()
    const all = this.#byCode.get(padded) ?? []
    const same = all.filter((each) => each.type === type)
    if (same.length > 0) return same
    return all.length === 1 ? [...all] : []
  }

  #counting(named: readonly RatedCode[]): RatedCode[] {
    const once = [...new Map(named.map((each) => [each.id, each])).values()]
    const counted = this.#wholeOrAdded(once.filter(({ rate }) => rate > 0))
    const unfiled = once.flatMap(({ id }) => this.#task.unfiled?.get(id) ?? [])
    return [...new Set([...counted, ...unfiled.filter(({ rate }) => rate > 0)])]
  }

  /** Leaves out what the rate of another one contains. */
  #wholeOrAdded(taxing: readonly RatedCode[]): RatedCode[] {
    if (WHOLE_DISTRICTS.has(this.#task.state) && taxing.some(({ type }) => type === 'district'))
      return taxing.toSorted((a, b) => b.rate - a.rate).slice(0, 1)
    if (this.#task.city !== 'replaces') return [...taxing]
    const located = taxing.filter(({ code }) => /^L\d/.test(code))
    const city = taxing.some(({ type }) => type === 'city')
    if (located.length > 0) return countingInWashington(taxing, located, city)
    return city ? taxing.filter(({ type }) => type !== 'county') : [...taxing]
  }

  #numberOf(parts: readonly RatedCode[]): number {
    const ids = parts.map(({ id }) => id)
    const key = ids.join(' ')
    const known = this.#byIds.get(key)
    if (known !== undefined) return known
    const stack = this.ids.push(ids) - 1
    if (stack > STACKS_MAX) throw new ParseError(this.#task.url, 'names too many combinations of taxes')
    this.#rates.push(parts.reduce((sum, { rate }) => sum + rate, 0))
    this.#byIds.set(key, stack)
    return stack
  }
}

/**
 * In a city the location code of Washington has the whole local rate. Outside of cities it is the transit
 * tax alone, on top of the county's: 1.6 % of Spokane County and 0.8 % of L3232 are the 2.4 % of the
 * department's location code 3232. Where both have one rate, they are two names of the same tax.
 */
function countingInWashington(
  taxing: readonly RatedCode[],
  located: readonly RatedCode[],
  city: boolean,
): RatedCode[] {
  const [code] = located
  const county = taxing.find(({ type }) => type === 'county')
  if (code === undefined || city || county === undefined || county.rate === code.rate)
    return located.slice(0, 1)
  return [county, code]
}

/** Up to 20 groups of source, code and type. There may be gaps between them. */
function districtsOf(cells: readonly string[]): { type: string; code: string }[] {
  const found = []
  for (let group = 0; group < DISTRICTS_MAX; group += 1) {
    const at = DISTRICTS_FROM + group * 3
    const [code = '', type = ''] = [cells[at + 1], cells[at + 2]]
    if (code !== '') found.push({ type, code })
  }
  return found
}

/** A copy that does not keep the text that it was cut from in memory. */
export function flat(text: string): string {
  return ` ${text}`.slice(1)
}
