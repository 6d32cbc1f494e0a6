import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { streamCsv } from '../../platform/kit/csv.ts'
import { decimalTwins } from '../rows/decimal-twins.ts'
import { refuseReversed } from '../rows/dates.ts'
import { cursorOfLine, readSelected } from '../filing/report-lines.ts'
import { readCreditNotes } from './credit-notes-store.ts'
import { ossRecordOf } from './oss-record.ts'
import { OSS_RECORD_COLUMNS, type OssRecord, type OssRecordsAnswer, type OssRecordsQuery } from './schemas.ts'

type Asked = Pick<OssRecordsQuery, 'scheme' | 'from_date' | 'to_date'>

/** A page of the records of a one-stop shop, oldest first. */
export async function pageOfOssRecords(
  context: Context,
  query: OssRecordsQuery,
): Promise<Answer<typeof OssRecordsAnswer>> {
  const { rows, ...page } = await readPage(context, query, query.cursor ?? null, query.limit ?? 100)
  return { records: rows, ...page }
}

/** The records as CSV, page by page. */
export function streamOssRecords(
  context: Context,
  asked: Asked,
  size: number,
): Promise<ReadableStream<Uint8Array>> {
  const twins = decimalTwins(OSS_RECORD_COLUMNS)
  return streamCsv([...OSS_RECORD_COLUMNS, ...twins.columns], async (cursor) => {
    const { rows, next_cursor } = await readPage(context, asked, cursor, size)
    const present = (record: OssRecord) => {
      const row = rowOfRecord(record)
      return { ...row, ...twins.of(row) }
    }
    return { rows, present, next_cursor }
  })
}

async function readPage(context: Context, asked: Asked, cursor: string | null, size: number) {
  refuseReversed(asked)
  const { scheme, from_date: from, to_date: to } = asked
  const selection = { scopes: [{ from, to, keys: null, not_in: [] }], measure: null }
  const found = await readSelected(context, selection, { scheme }, cursor, size + 1)
  const { rows, ...page } = cursorPage(found, size, cursorOfLine)
  const refunds = rows.flatMap(({ refund_id }) => (refund_id === null ? [] : [refund_id]))
  const notes = await readCreditNotes(context, refunds)
  return {
    rows: rows.map((entry) => ossRecordOf(entry, scheme, notes.get(entry.refund_id ?? '') ?? null)),
    ...page,
  }
}

/** A record in one row of a table. */
function rowOfRecord(record: OssRecord) {
  const { payments, payments_on_account, customer_address, dispatched_from, evidence, missing } = record
  return {
    ...record,
    payments: payments.map(paymentText).join('; '),
    payments_on_account: payments_on_account.map(paymentText).join('; '),
    customer_address: addressText(customer_address),
    dispatched_from: dispatched_from === null ? null : addressText(dispatched_from),
    evidence: evidence.map(({ type, country, value }) => [type, country, value ?? ''].join(' ')).join('; '),
    missing: missing.map(({ item, what }) => `${item}: ${what}`).join('; '),
  }
}

function paymentText({ date, amount, reference }: OssRecord['payments'][number]): string {
  return [date, amount, reference ?? ''].join(' ').trim()
}

function addressText({ country, region, postal_code }: OssRecord['customer_address']): string {
  return [country, region, postal_code].filter((part) => part !== null).join(' ')
}
