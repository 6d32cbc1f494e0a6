import type { Context } from '../../context.ts'
import { at } from '../../tax/invariant.ts'
import type { Answer } from '../../http/answers.ts'
import { csvOf } from '../csv.ts'
import { refuseReversed } from '../dates.ts'
import { cursorOfLine, readSelected } from '../report-lines.ts'
import { readCreditNotes } from './credit-notes-store.ts'
import { ossRecordOf } from './oss-record.ts'
import { OSS_RECORD_COLUMNS, type OssRecord, type OssRecordsAnswer, type OssRecordsQuery } from './schemas.ts'

type Asked = Pick<OssRecordsQuery, 'scheme' | 'from_date' | 'to_date'>
type RecordsPage = { records: OssRecord[]; next_cursor: string | null }

/** A page of the records of a one-stop shop, oldest first. */
export async function pageOfOssRecords(
  context: Context,
  query: OssRecordsQuery,
): Promise<Answer<typeof OssRecordsAnswer>> {
  const limit = query.limit ?? 100
  const page = await readPage(context, query, query.cursor ?? null, limit)
  return { ...page, limit, has_more: page.next_cursor !== null }
}

/** The records as CSV, page by page. The first page is read before anything is sent. */
export async function streamOssRecords(
  context: Context,
  asked: Asked,
  size: number,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let page = await readPage(context, asked, null, size)
  let header = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const csv = csvOf(OSS_RECORD_COLUMNS, page.records.map(rowOfRecord), header)
      header = false
      if (csv !== '') controller.enqueue(encoder.encode(csv))
      if (page.next_cursor === null) return controller.close()
      page = await readPage(context, asked, page.next_cursor, size)
    },
  })
}

async function readPage(
  context: Context,
  asked: Asked,
  cursor: string | null,
  size: number,
): Promise<RecordsPage> {
  refuseReversed(asked)
  const { scheme, from_date: from, to_date: to } = asked
  const selection = { scopes: [{ from, to, keys: null, not_in: [] }], measure: null }
  const found = await readSelected(context, selection, { scheme }, cursor, size + 1)
  const entries = found.slice(0, size)
  const refunds = entries.flatMap(({ refund_id }) => (refund_id === null ? [] : [refund_id]))
  const notes = await readCreditNotes(context, refunds)
  return {
    records: entries.map((entry) => ossRecordOf(entry, scheme, notes.get(entry.refund_id ?? '') ?? null)),
    next_cursor: found.length > size ? cursorOfLine(at(entries, size - 1)) : null,
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
