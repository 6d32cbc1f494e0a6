import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { sentencesOfSales } from '../../sales/transactions/sentences.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { csvOf, streamCsv } from './csv.ts'
import type { PresentedReturn } from '../filing/present-return.ts'
import { showReturn } from '../filing/show-return.ts'
import { streamOssRecords } from '../oss-records/records.ts'
import { UnionScheme } from '../oss-records/schemas.ts'
import type { LineEntry } from './line-entry.ts'
import { cursorOfLine, presentLine, readSelected, selectLines } from './report-lines.ts'
import { type ExportQuery, LINE_COLUMNS, REPORT_COLUMNS, type ReportRow } from './schemas.ts'
import { refuseReversed } from './dates.ts'
import { soughtSales } from './sought-sales.ts'
import { summariseSales } from './summary.ts'
import { cursorOfTransaction, readReportRows } from './transaction-rows-store.ts'

const PAGE = 1_000

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
  return csvOf(columns, rows, true)
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
      'office_code',
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
  const days = { from_date: required('from_date', from_date), to_date: required('to_date', to_date) }
  return streamOssRecords(context, { scheme: shop.data, ...days }, PAGE)
}

async function streamLines(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const asked = { ...query, transaction_id: undefined, entry: undefined }
  const selection = await selectLines(context, asked)
  return streamCsv([...LINE_COLUMNS, 'why'], async (cursor) => {
    const found = await readSelected(context, selection, asked, cursor, PAGE + 1)
    const { rows, next_cursor } = cursorPage(found, PAGE, cursorOfLine)
    const sentences = await sentencesOfSales(
      context,
      rows.map(({ transaction_id }) => transaction_id),
    )
    const why = ({ line_id }: LineEntry) => sentences.get(line_id ?? '') ?? null
    return {
      rows: rows.map((entry) => ({ ...presentLine(entry, selection.measure), why: why(entry) })),
      next_cursor,
    }
  })
}

const FOR_PEOPLE = ['subtotal_decimal', 'tax_decimal', 'total_decimal', 'transaction_day']

/** Amounts and the day as people read them, beside minor units and UTC. `zone` is that of the account. */
function forPeople(row: ReportRow, zone: string) {
  const { currency, subtotal, tax_amount, total, transaction_date } = row
  const digits = minorDigits(currency)
  return {
    ...row,
    subtotal_decimal: decimalNumber(subtotal, digits),
    tax_decimal: decimalNumber(tax_amount, digits),
    total_decimal: decimalNumber(total, digits),
    transaction_day: dayIn(zone, new Date(transaction_date)),
  }
}

/** A number, because a text that begins with a minus could be a formula. Only for the file. */
function decimalNumber(amount: number, digits: number): number {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const point = text.length - digits
  return Math.sign(amount) * Number(`${text.slice(0, point)}.${text.slice(point)}`)
}

async function streamTransactions(context: Context, query: ExportQuery): Promise<ReadableStream<Uint8Array>> {
  const ids = await soughtSales(context, query.q)
  return streamCsv([...REPORT_COLUMNS, ...FOR_PEOPLE], async (cursor) => {
    const found = await readReportRows(context, { ...query, ids, cursor: cursor ?? undefined }, PAGE + 1)
    const { rows, next_cursor } = cursorPage(found, PAGE, cursorOfTransaction)
    return { rows: rows.map((row) => forPeople(row, context.principal.time_zone)), next_cursor }
  })
}
