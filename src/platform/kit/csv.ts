import Papa from 'papaparse'
import { logFault } from './log-fault.ts'
import { takeTurns } from './take-turns.ts'

type CsvCell = string | number | boolean | null
type CsvRow = Record<string, CsvCell>

/**
 * A place in a text where a spreadsheet begins to read a cell: its begin, or after a separator that some
 * spreadsheets split at. Blanks and invisible characters follow, then perhaps the sign of a formula. It
 * always consumes the blanks, so a text of line breaks takes linear time. Numbers are written as numbers and
 * never changed.
 */
const CELL_START = /(^(?!;)|[;\t\r\n])([\s"\p{Cf}]*)([=+\-@|\0\uFF1D\uFF0B\uFF0D\uFF20]?)/gu

/** A text in which no cell can begin with a formula. Most are such, and this costs a tenth of the other. */
const PLAIN = /^[\da-z][^;\t\r\n]*$/i

/**
 * Rows as CSV (RFC 4180): CRLF, doubled quotes, an apostrophe before text that could be a formula. `header`
 * adds the header row.
 */
export function csvOf(columns: readonly string[], rows: readonly CsvRow[], header: boolean): string {
  const fields = rows.map((row) => columns.map((column) => defused(row[column] ?? null)))
  const lines = [...(header ? [[...columns]] : []), ...fields]
  if (lines.length === 0) return ''
  return `${Papa.unparse(lines, { newline: '\r\n' })}\r\n`
}

/** How many rows are written at once: no other request of this isolate waits for a whole page. */
const ROWS_AT_ONCE = 100

/** The same file in parts, which are written as they are read. */
export function* csvParts(columns: readonly string[], rows: readonly CsvRow[]): Generator<string> {
  for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE)
    yield csvOf(columns, rows.slice(from, from + ROWS_AT_ONCE), from === 0)
}

/** Rows as they were read, and how one of them is written. */
type CsvPage<Row> = { rows: readonly Row[]; present: (row: Row) => CsvRow; next_cursor: string | null }

/**
 * Rows as CSV, page by page, so that a million rows need only the memory of one page. The first page is read
 * before anything is sent: if the database is down, the caller gets an error and not an incomplete file.
 */
export async function streamCsv<Row>(
  columns: readonly string[],
  readPage: (cursor: string | null) => Promise<CsvPage<Row>>,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let page = await readPage(null)
  let written = 0
  let header = true
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await takeTurns()
        const rows = page.rows.slice(written, written + ROWS_AT_ONCE).map((row) => page.present(row))
        const csv = csvOf(columns, rows, header)
        header = false
        written += ROWS_AT_ONCE
        if (csv !== '') controller.enqueue(encoder.encode(csv))
        if (written < page.rows.length) return
        if (page.next_cursor === null) return controller.close()
        page = await readPage(page.next_cursor).catch((thrown: unknown) => {
          // The answer has begun, so no error of ours can tell that the file ends too early.
          logFault({ step: 'send a report' }, thrown)
          throw thrown
        })
        written = 0
      },
    },
    { highWaterMark: 0 },
  )
}

function defused(cell: CsvCell): CsvCell {
  return typeof cell === 'string' ? withoutFormula(cell) : cell
}

/**
 * A text with an apostrophe wherever a spreadsheet could begin to read a formula: for each file of rows. A
 * tab or a carriage return among the blanks begins one, too.
 */
export function withoutFormula(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replaceAll(CELL_START, (found, separator: string, blanks: string, sign: string) =>
    sign !== '' || /[\t\r]/.test(blanks) ? `${separator}'${blanks}${sign}` : found,
  )
}
