import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import { csvOf } from './csv.ts'
import type { PresentedReturn } from './filing/present-return.ts'
import { showReturn } from './filing/show-return.ts'
import { streamOssRecords } from './oss-records/records.ts'
import { UnionScheme } from './oss-records/schemas.ts'
import { cursorOfLine, presentLine, readSelected, selectLines } from './report-lines.ts'
import { type ExportQuery, LINE_COLUMNS, REPORT_COLUMNS } from './schemas.ts'
import { refuseReversed } from './dates.ts'
import { summariseSales } from './summary.ts'
import { cursorOf, readReportRows } from './transaction-rows-store.ts'

const PAGE = 1_000

/**
 * A report as a CSV file. Transactions are read and sent page by page, so that a million of them need only
 * the memory of one page.
 */
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
  if (from_date === undefined) throw fieldError('invalid_request', 'from_date', 'is required')
  if (to_date === undefined) throw fieldError('invalid_request', 'to_date', 'is required')
  refuseReversed({ from_date, to_date })
  const { columns, rows } = await summariseSales(context, { from_date, to_date, group_by })
  return csvOf(columns, rows, true)
}

async function filingCsv(
  context: Context,
  { type, period, fx_rates, jurisdiction_id }: ExportQuery,
): Promise<string> {
  if (type === undefined) throw fieldError('invalid_request', 'type', 'is required')
  if (period === undefined) throw fieldError('invalid_request', 'period', 'is required')
  return filingTable(await showReturn(context, { type, period, fx_rates, jurisdiction_id }))
}

/** The figures of a return as a table: a row for each box, supply and correction. */
export function filingTable(filed: PresentedReturn): string {
  return csvOf(
    [
      'section',
      'box',
      'name',
      'jurisdiction_id',
      'kind',
      'rate',
      'rate_type',
      'period',
      'currency',
      'gross_sales',
      'exempt_sales',
      'uncollected_sales',
      'taxable_amount',
      'tax_amount',
      'amount',
      'note',
      'level',
      'code',
      'levied_as',
    ],
    [
      ...filed.boxes.map((each) => ({ section: 'box', currency: filed.currency, ...each })),
      ...filed.supplies.map((each) => ({
        section: 'supply',
        period: filed.period,
        ...each,
        exempt_by_reason: null,
      })),
      ...(filed.jurisdiction_taxes ?? []).map((each) => ({
        section: 'jurisdiction',
        period: filed.period,
        ...each,
      })),
      ...filed.corrections.map((each) => ({ section: 'correction', ...each })),
      ...filed.expired_corrections.map((each) => ({ section: 'expired_correction', ...each })),
    ],
    true,
  )
}

async function ossRecordsCsv(
  context: Context,
  { scheme, from_date, to_date }: ExportQuery,
): Promise<ReadableStream<Uint8Array>> {
  const shop = UnionScheme.safeParse(scheme)
  if (!shop.success)
    throw fieldError('invalid_request', 'scheme', `must be one of ${UnionScheme.options.join(', ')}`)
  if (from_date === undefined) throw fieldError('invalid_request', 'from_date', 'is required')
  if (to_date === undefined) throw fieldError('invalid_request', 'to_date', 'is required')
  return streamOssRecords(context, { scheme: shop.data, from_date, to_date }, PAGE)
}

/** The lines page by page, like the transactions. */
async function streamLines(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const asked = { ...query, transaction_id: undefined, entry: undefined }
  const selection = await selectLines(context, asked)
  let entries = await readSelected(context, selection, asked, null, PAGE)
  let header = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const rows = entries.map((entry) => presentLine(entry, selection.measure))
      const csv = csvOf(LINE_COLUMNS, rows, header)
      header = false
      if (csv !== '') controller.enqueue(encoder.encode(csv))
      const last = entries.at(-1)
      if (entries.length < PAGE || last === undefined) return controller.close()
      entries = await readSelected(context, selection, asked, cursorOfLine(last), PAGE)
    },
  })
}

/**
 * Reads the first page before it sends anything: if the database is down, the caller gets an error and not an
 * incomplete file.
 */
async function streamTransactions(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let rows = await readReportRows(context, query, PAGE)
  let header = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const csv = csvOf(REPORT_COLUMNS, rows, header)
      header = false
      if (csv !== '') controller.enqueue(encoder.encode(csv))
      const last = rows.at(-1)
      if (rows.length < PAGE || last === undefined) return controller.close()
      rows = await readReportRows(context, { ...query, cursor: cursorOf(last) }, PAGE)
    },
  })
}
