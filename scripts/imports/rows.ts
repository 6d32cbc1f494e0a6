import Papa from 'papaparse'

/** A row of a file with its number, as a spreadsheet counts: the header is row 1. */
export type Row = { number: number; cells: Readonly<Record<string, string>> }

/**
 * Reads a CSV file with a header. Names of columns are compared without regard to case. Throws if a required
 * column is missing or a row cannot be read.
 */
export function rowsOf(csv: string, required: readonly string[]): Row[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
  })
  const missing = required.filter((name) => !(meta.fields ?? []).includes(name))
  if (missing.length > 0) throw new Error(`The file lacks the columns ${missing.join(', ')}`)
  const [error] = errors.filter(({ type }) => type !== 'Delimiter')
  if (error !== undefined) throw new Error(`Row ${(error.row ?? 0) + 2}: ${error.message}`)
  return data.map((cells, index) => ({ number: index + 2, cells }))
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
  return MOMENT.test(text) && !MIDNIGHT.test(text)
    ? new Date(text.replace(' ', 'T')).toISOString()
    : dayOfText(text)
}

/** The day of `2026-03-01`, `2026-03-01 10:00:00`, `2026-03-01T10:00:00Z` or `03/01/2026`. */
export function dayOfText(text: string): string {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1]
  if (iso !== undefined) return iso
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined)
    throw new Error(`"${text}" is not a date such as 2026-03-01 or 03/01/2026`)
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
