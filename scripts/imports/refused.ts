import Papa from 'papaparse'
import type { Row } from './rows.ts'

const REASON = 'reason'
/** What Papa names the cells that a row has too many. */
const EXTRA = '__parsed_extra'

/**
 * The rows that were left out as a file to correct and to import again, with the reason of each in a last
 * column. It has the columns and the decimals of the file that they came from.
 */
export function refusedFile(refused: readonly { reason: string; rows: readonly Row[] }[]): string {
  const first = refused.flatMap(({ rows }) => rows)[0]
  if (first === undefined) return ''
  const fields = Object.keys(first.cells).filter((name) => name !== REASON && name !== EXTRA)
  const data = refused.flatMap(({ reason, rows }) =>
    rows.map(({ cells }) => {
      const extra: readonly string[] = [cells[EXTRA] ?? []].flat()
      return [...fields.map((name) => cells[name] ?? ''), reason, ...extra]
    }),
  )
  // Spreadsheets of a country with a decimal comma read semicolons, and all read UTF-8 by its first mark.
  const delimiter = first.format.decimal_comma ? ';' : ','
  return `\uFEFF${Papa.unparse([[...fields, REASON], ...data], { delimiter })}\r\n`
}
