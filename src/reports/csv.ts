import Papa from 'papaparse'

type CsvCell = string | number | boolean | null

/**
 * A place in a text where a spreadsheet can begin to read a formula: its begin, or after a separator that
 * some spreadsheets split at, even after blanks and invisible characters. Numbers are written as numbers and
 * never changed.
 */
const FORMULA = /(^|[;\t\r\n])([\s"\p{Cf}]*[=+\-@|\t\r\0\uFF1D\uFF0B\uFF0D\uFF20])/gu

/**
 * Rows as CSV (RFC 4180): CRLF, doubled quotes, an apostrophe before text that could be a formula. `header`
 * adds the header row.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly Record<string, CsvCell>[],
  header: boolean,
): string {
  const fields = rows.map((row) => columns.map((column) => defused(row[column] ?? null)))
  const lines = [...(header ? [[...columns]] : []), ...fields]
  if (lines.length === 0) return ''
  return `${Papa.unparse(lines, { newline: '\r\n' })}\r\n`
}

/** The cell with an apostrophe before every formula. */
function defused(cell: CsvCell): CsvCell {
  return typeof cell === 'string' ? cell.replaceAll(FORMULA, "$1'$2") : cell
}
