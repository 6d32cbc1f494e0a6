import { asDisputed, NO_RECORD, readCode } from '../../src/engine/regimes/us-local/boundaries.ts'
import { ParseError } from '../collector.ts'
import { type BoundariesOfFile, boundariesOf, VALUE, type Zip } from './boundaries-of-file.ts'
import { compactDay, dayPlus } from './compact-day.ts'
import { refuseMany } from './odd-records.ts'
import { flat, StacksOfFile, type StacksTask, TAIL_COLUMN } from './stacks-of-file.ts'

/**
 * The boundary files of the Streamlined Sales Tax Governing Board: 89 columns without a header. `Z` records
 * are ZIPs, `4` records intervals of ZIP+4, `A` records addresses with their ZIP+4. The finest one counts.
 */

export type BoundaryTask = StacksTask & {
  /** The records in force on this day count. */
  day: string
}

const ADDRESS_ZIP = 15
/** An interval of ZIP+4 may cross the border of a ZIP, but not many of them. */
const ZIPS_OF_INTERVAL_MAX = 50
const ZIPS_OF_RECORD_MAX = 10_000
const ZIPS_MAX = 5_000
const FROM_ADDRESS = 0x8000
/** A record has some 300 characters. A file without ends of lines is none. */
const LINE_MAX = 16_384
const ODD_KEPT = 2
const ODD_READ = 1_000
const SHOWN_MAX = 120

/** Reads a boundary file in pieces: `add` each piece of its text, then `finish`. */
export class BoundaryReader {
  readonly #task: BoundaryTask
  readonly #today: string
  readonly #stacks: StacksOfFile
  readonly #zips = new Map<string, Zip>()
  readonly #odd: string[] = []
  #odd_count = 0
  #rest = ''
  #rows = 0
  #current = 0
  #last = ''
  #next = '99999999'

  constructor(task: BoundaryTask) {
    this.#task = task
    this.#today = task.day.replaceAll('-', '')
    this.#stacks = new StacksOfFile(task)
  }

  /** Throws ParseError for a line that is too long, or for too many combinations of taxes. */
  add(piece: string): void {
    let start = 0
    let end = piece.indexOf('\n')
    if (end >= 0 && this.#rest !== '') {
      this.#line(this.#rest + piece.slice(0, end))
      this.#rest = ''
      start = end + 1
      end = piece.indexOf('\n', start)
    }
    for (; end >= 0; end = piece.indexOf('\n', start)) {
      this.#line(piece.slice(start, end))
      start = end + 1
    }
    this.#rest += piece.slice(start)
    if (this.#rest.length > LINE_MAX)
      throw new ParseError(this.#task.url, `has a record of more than ${LINE_MAX} characters`)
  }

  /** The boundaries of the whole file. Throws ParseError if none is in force, or too many records are odd. */
  finish(): BoundariesOfFile {
    const count = this.#odd_count
    if (this.#rest !== '') this.#line(this.#rest)
    this.#rest = ''
    this.#refuseMany()
    if (this.#odd_count > count)
      throw new ParseError(
        this.#task.url,
        `does not understand its last record, ${JSON.stringify(this.#odd.at(-1))}`,
      )
    if (this.#zips.size === 0) throw new ParseError(this.#task.url, 'contains no record that is in force')
    return boundariesOf(this.#zips, this.#stacks.ids, {
      rows: this.#rows,
      odd: this.#odd_count,
      odd_shown: this.#odd[0] ?? null,
      rows_in_force: this.#current,
      highest: this.#stacks.highestRate(),
      from: compactDay(this.#last) ?? this.#task.day,
      next_change: this.#next === '99999999' ? null : compactDay(this.#next),
    })
  }

  #line(given: string): void {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given
    if (line.trim() === '') return
    this.#rows += 1
    try {
      this.#record(line)
    } catch (thrown) {
      if (!(thrown instanceof OddRecord)) throw thrown
      this.#odd_count += 1
      if (this.#odd.length < ODD_KEPT) this.#odd.push(line.slice(0, SHOWN_MAX))
      // Another document than we think need not be read to its end.
      if (this.#odd_count > ODD_READ && this.#odd_count > this.#rows / 2) this.#refuseMany()
    }
  }

  #refuseMany(): void {
    refuseMany(this.#task.url, { odd: this.#odd_count, records: this.#rows, shown: this.#odd[0] ?? '' })
  }

  /** Throws OddRecord before anything of the record is kept. */
  #record(line: string): void {
    const kind = line.charCodeAt(line.charCodeAt(0) === 0xfeff ? 1 : 0)
    const at = line.indexOf(',')
    const [begin, end] = [line.slice(at + 1, at + 9), line.slice(at + 10, at + 18)]
    if (line.charCodeAt(at + 9) !== COMMA || !isDay(begin) || !isDay(end)) return this.#refuse()
    if (end < this.#today) {
      this.#changed(dayAfter(end))
      return
    }
    if (begin > this.#today) {
      if (begin < this.#next) this.#next = begin
      return
    }
    this.#changed(begin)
    if (end < '20780101') {
      const after = dayAfter(end)
      if (after < this.#next) this.#next = after
    }
    this.#current += 1
    if (kind === LETTER_A) this.#address(line)
    else if (kind === DIGIT_4) this.#interval(line)
    else if (kind === LETTER_Z || kind === SMALL_Z) this.#zipRecord(line)
    else this.#refuse()
  }

  #changed(day: string): void {
    if (day > this.#last && day <= this.#today) this.#last = day
  }

  #address(line: string): void {
    const zip_at = columnAt(line, ADDRESS_ZIP, 0)
    const code_at = line.indexOf(',', zip_at) + 1
    const code_end = line.indexOf(',', code_at)
    const stack = this.#stackOf(line, columnAt(line, TAIL_COLUMN - ADDRESS_ZIP - 1, code_at))
    const code = code_end === code_at ? null : this.#number(line.slice(code_at, code_end), 4)
    const zip = this.#zip(line.slice(zip_at, code_at - 1))
    if (code === null) {
      zip.also.add(stack)
      return
    }
    const codes = (zip.codes ??= new Uint16Array(10_000))
    const before = codes[code] ?? NO_RECORD
    const known = (before & FROM_ADDRESS) === 0 ? NO_RECORD : before & VALUE
    codes[code] = this.#merged(known, stack) | FROM_ADDRESS
  }

  #interval(line: string): void {
    const [low, low4, high, high4, tail] = this.#range(line)
    const [first, last] = [this.#number(low, 5), this.#number(high === '' ? low : high, 5)]
    if (last < first || last - first > ZIPS_OF_INTERVAL_MAX) return this.#refuse()
    const stack = this.#stackOf(line, tail)
    const [from, to] = [this.#number(low4, 4), this.#number(high4 === '' ? low4 : high4, 4)]
    for (let zip5 = first; zip5 <= last; zip5 += 1) {
      const zip = this.#zip(String(zip5).padStart(5, '0'))
      const codes = (zip.codes ??= new Uint16Array(10_000))
      const until = zip5 === last ? to : 9_999
      for (let code = zip5 === first ? from : 0; code <= until; code += 1) {
        const before = codes[code] ?? NO_RECORD
        if ((before & FROM_ADDRESS) === 0) codes[code] = this.#merged(before, stack)
      }
    }
  }

  #zipRecord(line: string): void {
    const [low, , high, , tail] = this.#range(line)
    const [first, last] = [this.#number(low, 5), this.#number(high === '' ? low : high, 5)]
    if (last < first || last - first > ZIPS_OF_RECORD_MAX) return this.#refuse()
    const stack = this.#stackOf(line, tail)
    for (let zip5 = first; zip5 <= last; zip5 += 1) {
      const zip = this.#zip(String(zip5).padStart(5, '0'))
      if (zip.record < 0) zip.record = stack
      else if (zip.record !== stack) {
        const lower = this.#stacks.rateOf(stack) < this.#stacks.rateOf(zip.record)
        zip.also.add(lower ? zip.record : stack)
        if (lower) zip.record = stack
      }
    }
  }

  /** Columns 17 to 20, and where column 22 begins. */
  #range(line: string): [low: string, low4: string, high: string, high4: string, tail: number] {
    const a = columnAt(line, 17, 0)
    const b = line.indexOf(',', a) + 1
    const c = line.indexOf(',', b) + 1
    const d = line.indexOf(',', c) + 1
    const e = line.indexOf(',', d) + 1
    const tail = line.indexOf(',', e) + 1
    if (a === 0 || b === 0 || c === 0 || d === 0 || e === 0 || tail === 0) this.#refuse()
    return [line.slice(a, b - 1), line.slice(b, c - 1), line.slice(c, d - 1), line.slice(d, e - 1), tail]
  }

  /** The value of two records for the same code: the lower rate, disputed if they differ (SSUTA 305 F). */
  #merged(before: number, stack: number): number {
    if (before === NO_RECORD || before === stack + 1) return stack + 1
    const known = readCode(before)
    if (known === null || known.stack === stack) return before
    if (this.#stacks.rateOf(known.stack) === this.#stacks.rateOf(stack)) return before
    return asDisputed(
      (this.#stacks.rateOf(stack) < this.#stacks.rateOf(known.stack) ? stack : known.stack) + 1,
    )
  }

  #zip(text: string): Zip {
    const known = this.#zips.get(text)
    if (known !== undefined) return known
    const zip5 = String(this.#number(text, 5)).padStart(5, '0')
    const padded = this.#zips.get(zip5)
    if (padded !== undefined) return padded
    if (this.#zips.size >= ZIPS_MAX) throw new ParseError(this.#task.url, `has more than ${ZIPS_MAX} ZIPs`)
    const added = { record: -1, also: new Set<number>(), codes: null }
    this.#zips.set(flat(zip5), added)
    return added
  }

  #number(text: string, digits: number): number {
    if (text.length === 0 || text.length > digits || !/^\d+$/.test(text)) return this.#refuse()
    return Number(text)
  }

  #stackOf(line: string, from: number): number {
    return (from <= 0 ? null : this.#stacks.stackOf(line.slice(from))) ?? this.#refuse()
  }

  #refuse(): never {
    throw new OddRecord()
  }
}

/** A record that is not understood, and left out. */
class OddRecord extends Error {}

const COMMA = 44
const LETTER_A = 65
const LETTER_Z = 90
const SMALL_Z = 122
const DIGIT_4 = 52

function isDay(text: string): boolean {
  return text.length === 8 && text >= '19000101' && text <= '99991231' && /^\d{8}$/.test(text)
}

function dayAfter(compact: string): string {
  const day = compactDay(compact)
  return day === null || day >= '2078-01-01' ? '99999999' : dayPlus(day, 1).replaceAll('-', '')
}

/** Where the column that is `columns` further begins; 0: there is none. */
function columnAt(line: string, columns: number, from: number): number {
  let at = from
  for (let passed = 0; passed < columns; passed += 1) {
    at = line.indexOf(',', at) + 1
    if (at === 0) return 0
  }
  return at
}
