import type { Context } from '../../platform/context.ts'
import { pageOf } from '../../platform/http/page.ts'
import { feature, route } from '../../platform/http/route.ts'
import { documentOfReturn } from '../documents/return-document.ts'
import { CsvFile, HmrcVatReturn, OssXml, ReturnFileQuery } from '../documents/schemas.ts'
import { pageOfFiledRows } from './filed-rows.ts'
import { compareWithVersion } from './compare.ts'
import { freezeReturn } from './freeze.ts'
import { freezeReturns } from './freeze-many.ts'
import { presentFiled, presentHead } from './present-filed.ts'
import { pageOfHashedRows, reconcilePage } from './reconciliation.ts'
import { findReturn } from '../archive/find-return.ts'
import { reopenReturn } from './reopen.ts'
import { listReturns } from '../archive/returns-store.ts'
import {
  HashedRowsAnswer,
  HashedRowsQuery,
  ReconciliationAnswer,
  ReconciliationQuery,
  ReopenRequest,
  ReturnAnswer,
  ReturnBatchAnswer,
  ReturnBatchRequest,
  ReturnQuery,
  ReturnRequest,
  ReturnRowsAnswer,
  ReturnRowsQuery,
  ReturnsAnswer,
  ReturnsQuery,
  SubmissionUpdateRequest,
} from './schemas.ts'
import { submitReturn } from './submission.ts'
import { readToldOfReturn, readToldOfReturns } from './told-of-returns.ts'

const reading = { tag: 'Reports', method: 'get', scope: 'reports:read' } as const
const writing = { tag: 'Reports', method: 'post', scope: 'reports:write', idempotent: true } as const
const params = { id: 'The id of the return, `ret_…`' }

async function showFiled(context: Context, id: string, version: number | undefined) {
  const row = await findReturn(context, id)
  const told = await readToldOfReturn(context, row)
  const comparison = version === undefined ? null : await compareWithVersion(context, row, version)
  return presentFiled(row, told, comparison)
}

const serves = ['/v1/returns']

export const returnRoutes = feature(serves, [
  route({
    ...writing,
    path: '/v1/returns',
    operation: 'fileReturn',
    client: 'returns.create',
    summary: 'File a return: keep its figures and lines as they are',
    description:
      'Sales and refunds of these days that are recorded later enter the next open return as corrections. ' +
      'This service sends nothing to a tax office.',
    errors: [
      'period_not_ended',
      'period_already_filed',
      'review_required',
      'days_moving',
      'return_too_large',
      'quota_exceeded',
      'amount_out_of_range',
      'concurrent_change',
    ],
    status: 201,
    body: ReturnRequest,
    example: { type: 'oss_union', period: '2026-Q3' },
    answer: ReturnAnswer,
    handle: (context, { body }) => freezeReturn(context, body),
  }),
  route({
    ...writing,
    path: '/v1/returns/batch',
    operation: 'fileReturnBatch',
    client: 'returns.createBatch',
    summary: 'File the returns of several jurisdictions, each by itself',
    description:
      'One that fails does not affect the others, and has its error in the results. Asked again, the ones ' +
      'that are filed are named, and the others are filed.',
    errors: ['concurrent_change'],
    body: ReturnBatchRequest,
    example: { type: 'us_state', period: '2026-09', jurisdiction_ids: ['US-TX', 'US-WA'] },
    answer: ReturnBatchAnswer,
    handle: (context, { body }) => freezeReturns(context, body),
  }),
  route({
    ...reading,
    path: '/v1/returns',
    operation: 'listReturns',
    client: 'returns.list',
    summary: 'List the filed returns, newest first',
    query: ReturnsQuery,
    answer: ReturnsAnswer,
    handle: async (context, { query }) => {
      const { limit = 50, offset = 0 } = query
      const { rows, total } = await listReturns(context, query, limit, offset)
      const toldOf = await readToldOfReturns(context, rows)
      return {
        returns: rows.map((row) => presentHead(row, toldOf(row))),
        ...pageOf(total, limit, offset),
      }
    },
  }),
  route({
    ...reading,
    path: '/v1/returns/reconciliation',
    operation: 'reconcileReturns',
    client: 'returns.reconciliation',
    summary: 'Filed returns beside the books, with the texts of their hashes',
    description:
      'For each return: what the books hold of its days, what returns declare of them, and the late ' +
      'entries that the next open return declares. The first less the second is the third. Each return ' +
      'is compared with its hash and with the audit log, too. `tax-compliance reconcile` of the client ' +
      'computes the hashes again.',
    errors: ['amount_out_of_range', 'concurrent_change'],
    query: ReconciliationQuery,
    answer: ReconciliationAnswer,
    handle: (context, { query }) => reconcilePage(context, query),
  }),
  route({
    ...reading,
    path: '/v1/returns/:id/hashed-rows',
    operation: 'listHashedReturnRows',
    client: 'returns.hashedRows',
    params,
    summary: 'The lines behind a filed return as the texts that were hashed',
    query: HashedRowsQuery,
    answer: HashedRowsAnswer,
    handle: async (context, { params: { id }, query }) =>
      pageOfHashedRows(context, await findReturn(context, id), query.cursor),
  }),
  route({
    ...reading,
    path: '/v1/returns/:id',
    operation: 'getReturn',
    client: 'returns.get',
    params,
    summary: 'One filed return with its figures',
    description: '`compare` adds what differs from another version of its period.',
    query: ReturnQuery,
    answer: ReturnAnswer,
    handle: async (context, { params: { id }, query }) => showFiled(context, id, query.compare),
  }),
  route({
    ...reading,
    path: '/v1/returns/:id/rows',
    operation: 'listReturnRows',
    client: 'returns.rows',
    params,
    summary: 'The lines behind a filed return, as they were when it was filed',
    query: ReturnRowsQuery,
    answer: ReturnRowsAnswer,
    handle: async (context, { params: { id }, query }) =>
      pageOfFiledRows(context, await findReturn(context, id), query),
  }),
  route({
    ...reading,
    path: '/v1/returns/:id/file',
    operation: 'downloadReturnFile',
    client: 'returns.file',
    sends_file: 'small',
    params,
    summary: 'A filed return as a file for a tax office or an accountant',
    description:
      '`X-Layout` says how sure the layout is, and `X-Layout-Source` names its page. `X-To-Type` lists ' +
      'what the file lacks and is to be entered by hand, and `X-To-Amend` the late entries that it leaves ' +
      'out.',
    errors: ['file_incomplete', 'return_too_large', 'amount_out_of_range'],
    query: ReturnFileQuery,
    answer: { 'text/csv': CsvFile, 'application/json': HmrcVatReturn, 'application/xml': OssXml },
    handle: (context, { params: { id }, query }) => documentOfReturn(context, id, query),
  }),
  route({
    ...writing,
    method: 'put',
    path: '/v1/returns/:id/submission',
    operation: 'updateReturnSubmission',
    client: 'returns.submit',
    params,
    summary: 'Record the filing details of a return: reviewed, filed, paid',
    description:
      'Fields that are left out stay, except fields that do not fit the state. The figures and the ' +
      'hash of the return stay as they are, and the audit log has each change.',
    errors: ['concurrent_change', 'review_required', 'second_person_required'],
    body: SubmissionUpdateRequest,
    example: { state: 'filed', number: 'A-2026-4711', day: '2026-10-20' },
    answer: ReturnAnswer,
    handle: (context, { params: { id }, body }) => submitReturn(context, id, body),
  }),
  route({
    ...writing,
    path: '/v1/returns/:id/reopen',
    operation: 'reopenReturn',
    client: 'returns.reopen',
    params,
    summary: 'Open a filed period again; its return stays as an old version',
    errors: ['return_not_filed'],
    body: ReopenRequest,
    example: { reason: 'An invoice was missing' },
    answer: ReturnAnswer,
    handle: (context, { params: { id }, body }) => reopenReturn(context, id, body.reason),
  }),
])
