import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import { csvOf } from './csv.ts'
import { fileReturn } from './filing/file-return.ts'
import type { Box, Correction, Supplies } from './filing/figures.ts'
import { type ExportQuery, REPORT_COLUMNS } from './schemas.ts'
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

async function filingCsv(context: Context, { type, period, fx_rates }: ExportQuery): Promise<string> {
  if (type === undefined) throw fieldError('invalid_request', 'type', 'is required')
  if (period === undefined) throw fieldError('invalid_request', 'period', 'is required')
  const filed = await fileReturn(context, { type, period, fx_rates })
  return csvOf(
    [
      'section',
      'box',
      'name',
      'jurisdiction_id',
      'kind',
      'rate',
      'period',
      'currency',
      'gross_sales',
      'exempt_sales',
      'taxable_amount',
      'tax_amount',
      'amount',
      'note',
    ],
    [
      ...filed.boxes.map((each: Box) => ({ section: 'box', currency: filed.currency, ...each })),
      ...filed.supplies.map((each: Supplies) => ({ section: 'supply', period: filed.period, ...each })),
      ...filed.corrections.map((each: Correction) => ({ section: 'correction', ...each })),
    ],
    true,
  )
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
