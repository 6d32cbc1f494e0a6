import Papa from 'papaparse'
import { isCalendarDate, isDateOrMoment } from '../../src/platform/http/field-rules.ts'

/** A row of a file. `number` is the line where it begins, as an editor counts: the first line is 1. */
export type Row = {
  number: number
  cells: Readonly<Record<string, string>>
  /** Why the row as a whole cannot be read; null: it can. */
  fault: string | null
  format: FileFormat
}

/** How the cells of a file are written, as far as the file itself does not say it. */
export type FileFormat = {
  /** `1.234,56` instead of `1,234.56`. */
  decimal_comma: boolean
  /** `dmy`: 31/03/2026 or 31.03.2026. `mdy`: 03/31/2026. Null: see `isoDay`. */
  dates: 'dmy' | 'mdy' | null
  /** The names of the columns of the file, by the name that a layout has for them. Both in lower case. */
  columns: ReadonlyMap<string, string>
}

export const PLAIN: FileFormat = { decimal_comma: false, dates: null, columns: new Map() }

/**
 * Reads a CSV file with a header, separated by commas, semicolons or tabs. Names of columns are compared
 * without regard to case. Throws if a required column is missing, or if a wrong quote takes further rows,
 * which nobody would miss. A row that cannot be read has a fault.
 */
export function rowsOf(csv: string, required: readonly string[], format: FileFormat = PLAIN): Row[] {
  const ours = new Map([...format.columns].map(([name, theirs]) => [theirs, name]))
  const text = csv.replace(/^\uFEFF/, '')
  const nameOf = (name: string) => ours.get(name.trim().toLowerCase()) ?? name.trim().toLowerCase()
  const reading = { skipEmptyLines: 'greedy' as const, delimitersToGuess: [',', ';', '\t'] }
  let fields: string[] = []
  let end = 0
  Papa.parse<string[]>(text, {
    ...reading,
    step: ({ data, meta }, parser) => {
      fields = data.map(nameOf)
      end = meta.cursor
      parser.abort()
    },
  })
  const missing = required.filter((name) => !fields.includes(name))
  if (missing.length > 0)
    throw new Error(
      `The file lacks the columns ${missing.join(', ')}. ` +
        'If they have other names, give --columns "name=name in the file, …"',
    )
  const rows: Row[] = []
  const lines = lineCounter(text)
  Papa.parse<Record<string, string>>(text, {
    ...reading,
    header: true,
    transformHeader: nameOf,
    step: ({ data: cells, errors, meta: { cursor } }) => {
      const begin = end + blankLines(text.slice(end, cursor))
      const fault = errors.find(({ type }) => type !== 'Delimiter')
      const number = lines(begin)
      if (fault?.type === 'Quotes' && /[\r\n]/.test(text.slice(begin, cursor).trim()))
        throw new Error(`Row ${number}: a quote in it takes the rows after it. Close it, or write it twice`)
      rows.push({
        number,
        cells,
        fault: fault === undefined ? null : faultOf(fault.message),
        format,
      })
      end = cursor
    },
  })
  return rows
}

/** How many characters of blank lines, also with separators, a text has before its first row. */
function blankLines(text: string): number {
  return /^(?:(?:[,;]|[^\S\r\n])*(?:\r\n|\n|\r))*/.exec(text)?.[0].length ?? 0
}

/** The line, from 1, at places of a text that are asked in ascending order. */
function lineCounter(text: string): (place: number) => number {
  let [line, counted] = [1, 0]
  return (place) => {
    line += text.slice(counted, place).match(/\r\n|\n|\r/g)?.length ?? 0
    counted = place
    return line
  }
}

function faultOf(message: string): string {
  const hint = message.startsWith('Too many fields')
    ? '. If amounts have a decimal comma, the cells must be separated by semicolons, or quoted'
    : ''
  return message + hint
}

/** The text of a cell, without spaces around it; '' if the file lacks the column. */
export function cell({ cells }: Row, name: string): string {
  return (cells[name] ?? '').trim()
}

/** Reads something of a row. An error says in which row and column it was. */
export function inCell<Result>(row: Row, name: string, read: (text: string) => Result): Result {
  try {
    return read(cell(row, name))
  } catch (error) {
    throw new Error(`Row ${row.number}, ${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Reads a number of a row: `read` gets it with a decimal point. */
export function inNumber<Result>(row: Row, name: string, read: (text: string) => Result): Result {
  return inCell(row, name, (text) => read(row.format.decimal_comma ? withPoint(text) : text))
}

/** Reads a date of a row: `read` gets the day of the file as `2026-03-31`. */
export function inDate<Result>(row: Row, name: string, read: (text: string) => Result): Result {
  return inCell(row, name, (text) => read(isoDay(text, row.format.dates)))
}

/** `1.234,56` as `1234.56`. Throws if a point is not between thousands. */
function withPoint(text: string): string {
  if (text.includes('.') && !/^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text))
    throw new Error(`"${text}" is not a number with a decimal comma, such as 1.234,56`)
  return text.replaceAll('.', '').replace(',', '.')
}

const OF_NUMBERS = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/

/**
 * A day of three numbers as `2026-03-31`; any other text as it is. Slashes are month first, as in the US,
 * unless the order is given. Points are day first in most countries, but not in all: without the order, a
 * day that could be both is refused. Throws if there is no such day.
 */
export function isoDay(text: string, order: FileFormat['dates']): string {
  const [, first = '', sign = '', second = '', year = ''] = OF_NUMBERS.exec(text) ?? []
  if (year === '') return text
  if (order === null && sign === '.' && Number(first) <= 12 && first !== second)
    throw new Error(`"${text}" can be two days: give --dates dmy or --dates mdy`)
  const dayFirst = order === null ? sign === '.' : order === 'dmy'
  const isoOf = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const iso = dayFirst ? isoOf(second, first) : isoOf(first, second)
  if (isCalendarDate(iso)) return iso
  const hint = !dayFirst && isCalendarDate(isoOf(second, first))
  throw new Error(`"${text}" is no day${hint ? '. If the day is first, give --dates dmy' : ''}`)
}

/** Rows with one key, in the order of the file. */
export function groupBy(rows: readonly Row[], key: (row: Row) => string): Row[][] {
  return [...Map.groupBy(rows, key).values()]
}

const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** Exports write a day without a time as midnight in UTC. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)$/

/**
 * The moment of `2026-03-01T10:00:00Z`, or the day of a text without a time or time zone. The service decides
 * in which day of the account a moment is.
 */
export function dateOfText(text: string): string {
  if (!MOMENT.test(text) || MIDNIGHT.test(text)) return dayOfText(text)
  const moment = text.replace(' ', 'T')
  if (!isDateOrMoment(moment)) throw new Error(`"${text}" is no day and time`)
  return new Date(moment).toISOString()
}

/** The day of `2026-03-01`, `2026-03-01 10:00:00`, `2026-03-01T10:00:00Z` or `03/01/2026`. */
export function dayOfText(text: string): string {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(isoDay(text, null))?.[1]
  if (iso === undefined || !isCalendarDate(iso))
    throw new Error(`"${text}" is not a date such as 2026-03-01 or 03/01/2026`)
  return iso
}
