import Papa from 'papaparse'

type CsvCell = string | number | boolean | null

/**
 * Text that a spreadsheet would read as a formula, even after blanks. Numbers are written as numbers and
 * never changed.
 */
const FORMULA = /^[\s"]*[=+\-@|\t\r\0]/

/**
 * Rows as CSV (RFC 4180): CRLF, doubled quotes, an apostrophe before text that could be a formula. `header`
 * adds the header row.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly Record<string, CsvCell>[],
  header: boolean,
): string {
  const fields = rows.map((row) => columns.map((column) => row[column] ?? null))
  const lines = [...(header ? [[...columns]] : []), ...fields]
  if (lines.length === 0) return ''
  return `${Papa.unparse(lines, { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`
}
