import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { feature, route } from '../../platform/http/route.ts'
import { refuseReversed } from '../rows/dates.ts'
import { exportReport } from './export.ts'
import { documentOfPeriod } from '../documents/return-document.ts'
import { CsvFile, FilingFileQuery, HmrcVatReturn, OssXml } from '../documents/schemas.ts'
import { pageOfOssRecords } from '../oss-records/records.ts'
import { OssRecordsAnswer, OssRecordsQuery } from '../oss-records/schemas.ts'
import { pageOfLines } from '../filing/report-lines.ts'
import { showReturn } from '../filing/show-return.ts'
import { FilingAnswer } from '../forms/answers.ts'
import { FilingQuery, LinesQuery } from '../forms/queries.ts'
import { LinesAnswer } from '../rows/line-schemas.ts'
import {
  ExportQuery,
  SummaryAnswer,
  SummaryQuery,
  TaxVarianceAnswer,
  TaxVarianceQuery,
  TransactionReportAnswer,
  TransactionReportQuery,
} from './schemas.ts'
import { soughtSales } from './sought-sales.ts'
import { summariseSales } from './summary.ts'
import { reportTaxVariance } from './tax-variance.ts'
import { cursorOfTransaction, readReportRows } from './transaction-rows-store.ts'

const reading = { tag: 'Reports', method: 'get', scope: 'reports:read' } as const

const serves = ['/v1/reports/']

export const reportRoutes = feature(serves, [
  route({
    ...reading,
    path: '/v1/reports/summary',
    operation: 'getSummaryReport',
    client: 'reports.summary',
    summary: 'Sales and tax by jurisdiction, month or product type',
    errors: ['amount_out_of_range'],
    query: SummaryQuery,
    answer: SummaryAnswer,
    handle: async (context, { query }) => {
      refuseReversed(query)
      const { columns: _, ...summary } = await summariseSales(context, query)
      return summary
    },
  }),
  route({
    ...reading,
    path: '/v1/reports/tax-variance',
    operation: 'getTaxVarianceReport',
    client: 'reports.taxVariance',
    summary: 'Charged against expected tax by month and place',
    description:
      'Of sales that were recorded with a tax of their own, or an `expected_total`, if it differs from ' +
      'the calculated one. Refunds are not deducted. `transactions_url` lists the sales of a row.',
    errors: ['amount_out_of_range'],
    query: TaxVarianceQuery,
    answer: TaxVarianceAnswer,
    handle: (context, { query }) => reportTaxVariance(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/transactions',
    operation: 'listReportedTransactions',
    client: 'reports.transactions',
    summary: 'One flat row per transaction, oldest first',
    errors: ['unknown_product_type'],
    query: TransactionReportQuery,
    answer: TransactionReportAnswer,
    handle: (context, { query }) => pageOfRows(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/lines',
    operation: 'listReportedLines',
    client: 'reports.lines',
    summary: 'One row per line and rate, with refunds as rows of their own, oldest first',
    description:
      'With `type`, `period` and `figure`: the lines of a figure of a return, whose `figure_amount` adds ' +
      'up to it, in the currency of the sales.',
    errors: ['amount_out_of_range'],
    query: LinesQuery,
    answer: LinesAnswer,
    handle: (context, { query }) => pageOfLines(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/oss-records',
    operation: 'listOssRecords',
    client: 'reports.ossRecords',
    summary: 'The records of a one-stop shop, line by line, oldest first',
    description:
      'The items a to m of art. 63c of Implementing Regulation (EU) 282/2011. `missing` names the items ' +
      'that a record lacks. The same as CSV: `/v1/reports/export?report=oss_records`.',
    query: OssRecordsQuery,
    answer: OssRecordsAnswer,
    handle: (context, { query }) => pageOfOssRecords(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/filing',
    operation: 'getFilingReport',
    client: 'reports.filing',
    summary: 'A return in its official layout',
    description:
      'Each figure that adds up sales has a link to their lines. ' +
      'A figure that sales alone do not determine is null, and its note says why.',
    errors: ['amount_out_of_range'],
    query: FilingQuery,
    answer: FilingAnswer,
    handle: (context, { query }) => showReturn(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/filing/file',
    operation: 'downloadFilingFile',
    client: 'reports.filingFile',
    sends_file: 'small',
    summary: 'A return as a file for a tax office or an accountant',
    description:
      'Of the filed figures if the period is filed. `X-Layout` says how sure the layout is: `verified` by ' +
      'the schema of the authority, `unverified` from documentation, or `own`. `X-Layout-Source` names ' +
      'its page. `X-To-Type` lists what the file lacks and is to be entered by hand: the corrections that ' +
      'a portal does not import, and the sales that have no account of DATEV. `X-To-Amend` names the late ' +
      'entries that it leaves out, with the notice that each needs.',
    errors: ['file_incomplete', 'return_too_large', 'amount_out_of_range'],
    query: FilingFileQuery,
    answer: { 'text/csv': CsvFile, 'application/json': HmrcVatReturn, 'application/xml': OssXml },
    handle: (context, { query }) => documentOfPeriod(context, query),
  }),
  route({
    ...reading,
    path: '/v1/reports/export',
    operation: 'exportReport',
    client: 'reports.export',
    sends_file: 'large',
    summary: 'A report as a CSV file',
    description:
      'CSV by RFC 4180. An apostrophe is put before text that a spreadsheet would read as a formula.',
    errors: ['amount_out_of_range', 'unknown_product_type'],
    query: ExportQuery,
    answer: { 'text/csv': CsvFile },
    handle: (context, { query }) => exportReport(context, query),
  }),
])

async function pageOfRows(
  context: Context,
  query: z.output<typeof TransactionReportQuery>,
): Promise<Answer<typeof TransactionReportAnswer>> {
  refuseReversed(query)
  const limit = query.limit ?? 100
  const ids = await soughtSales(context, query.q)
  const found = await readReportRows(context, { ...query, ids }, limit + 1)
  const { rows, ...page } = cursorPage(found, limit, cursorOfTransaction)
  return { transactions: rows, ...page }
}
