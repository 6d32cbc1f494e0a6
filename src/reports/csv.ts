import Papa from 'papaparse'

type CsvCell = string | number | boolean | null

/**
 * What a spreadsheet would take for a formula, also behind blanks. Numbers are written as numbers and never
 * changed.
 */
const FORMULA = /^[\s"]*[=+\-@|\t\r\0]/

/**
 * Rows as CSV (RFC 4180): CRLF, doubled quotes, text that could be a formula behind an apostrophe. With the
 * header row where asked.
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
