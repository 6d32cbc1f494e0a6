import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { sentencesOfSales } from '../../sales/transactions/read/sentences.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { csvOf, streamCsv } from '../../platform/kit/csv.ts'
import { decimalTwins } from '../rows/decimal-twins.ts'
import { filingTable } from '../filing/filing-table.ts'
import { showReturn } from '../filing/show-return.ts'
import { streamOssRecords } from '../oss-records/records.ts'
import { UnionScheme } from '../oss-records/schemas.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { cursorOfLine, presentLine, readSelected, selectLines } from '../filing/report-lines.ts'
import { LINE_COLUMNS } from '../rows/line-schemas.ts'
import { type ExportQuery, REPORT_COLUMNS } from './schemas.ts'
import { refuseReversed } from '../rows/dates.ts'
import { soughtSales } from './sought-sales.ts'
import { summariseSales } from './summary.ts'
import { cursorOfTransaction, readReportRows } from './transaction-rows-store.ts'

const PAGE = 1_000

/** Each line is read with its whole sale and its reason. */
const PAGE_OF_LINES = 250

/** A report as a CSV file. Transactions, lines and records are sent page by page. */
export async function exportReport(context: Context, query: ExportQuery): Promise<Response> {
  switch (query.report) {
    case 'summary':
      return csvFile('summary', await summaryCsv(context, query))
    case 'filing':
      return csvFile('filing', await filingCsv(context, query))
    case 'transactions':
      refuseReversed(query)
      return csvFile('transactions', await streamTransactions(context, query))
    case 'lines':
      return csvFile('lines', await streamLines(context, query))
    case 'oss_records':
      return csvFile('oss_records', await ossRecordsCsv(context, query))
  }
}

function csvFile(name: string, body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  })
}

async function summaryCsv(context: Context, { from_date, to_date, group_by }: ExportQuery): Promise<string> {
  const days = { from_date: required('from_date', from_date), to_date: required('to_date', to_date) }
  refuseReversed(days)
  const { columns, rows } = await summariseSales(context, { ...days, group_by })
  const twins = decimalTwins(columns)
  const read = rows.map((row) => ({ ...row, ...twins.of(row) }))
  return csvOf([...columns, ...twins.columns], read, true)
}

async function filingCsv(
  context: Context,
  { type, period, fx_rates, jurisdiction_id }: ExportQuery,
): Promise<string> {
  const asked = { type: required('type', type), period: required('period', period) }
  return filingTable(await showReturn(context, { ...asked, fx_rates, jurisdiction_id }))
}

function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw fieldError('invalid_request', name, 'is required')
  return value
}

async function ossRecordsCsv(
  context: Context,
  { scheme, from_date, to_date }: ExportQuery,
): Promise<ReadableStream<Uint8Array>> {
  const shop = UnionScheme.safeParse(scheme)
  if (!shop.success)
    throw fieldError('invalid_request', 'scheme', `must be one of ${UnionScheme.options.join(', ')}`)
  const days = { from_date: required('from_date', from_date), to_date: required('to_date', to_date) }
  return streamOssRecords(context, { scheme: shop.data, ...days }, PAGE)
}

async function streamLines(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const asked = { ...query, transaction_id: undefined, entry: undefined }
  const selection = await selectLines(context, asked)
  const twins = decimalTwins(LINE_COLUMNS)
  return streamCsv([...LINE_COLUMNS, 'why', ...twins.columns], async (cursor) => {
    const found = await readSelected(context, selection, asked, cursor, PAGE_OF_LINES + 1)
    const { rows, next_cursor } = cursorPage(found, PAGE_OF_LINES, cursorOfLine)
    const sentences = await sentencesOfSales(
      context,
      rows.map(({ transaction_id }) => transaction_id),
    )
    const why = ({ line_id }: LineEntry) => sentences.get(line_id ?? '') ?? null
    const present = (entry: LineEntry) => {
      const shown = presentLine(entry, selection.measure)
      return { ...shown, why: why(entry), ...twins.of(shown) }
    }
    return { rows, present, next_cursor }
  })
}

async function streamTransactions(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const ids = await soughtSales(context, query.q)
  const { time_zone } = context.principal
  const twins = decimalTwins(REPORT_COLUMNS)
  const last = ['subtotal_decimal', 'tax_decimal', 'total_decimal', 'transaction_day']
  // Those of earlier releases stay where they are: some readers count columns.
  const added = twins.columns.filter((name) => !last.includes(name))
  return streamCsv([...REPORT_COLUMNS, ...last, ...added, 'of_other_seller'], async (cursor) => {
    const found = await readReportRows(context, { ...query, ids, cursor: cursor ?? undefined }, PAGE + 1)
    const { rows, next_cursor } = cursorPage(found, PAGE, cursorOfTransaction)
    const present = (row: (typeof rows)[number]) => ({
      ...row,
      ...twins.of(row),
      of_other_seller: row.of_other_seller ?? false,
      transaction_day: dayIn(time_zone, new Date(row.transaction_date)),
    })
    return { rows, present, next_cursor }
  })
}
