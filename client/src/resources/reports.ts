import {
  answerOf,
  type CallOptions,
  fileOf,
  type Http,
  type QueryOf,
  sent,
  type WriteOptions,
} from '../call.ts'
import { listOf } from '../list.ts'
import type {
  CalendarFeedAnswer,
  CalendarFeedDeleted,
  FilingAnswer,
  HashedRowsAnswer,
  LinesAnswer,
  NewCalendarFeedAnswer,
  ObligationAnswer,
  ObligationsAnswer,
  OssRecordsAnswer,
  ReconciliationAnswer,
  ReopenRequest,
  ReturnAnswer,
  ReturnBatchAnswer,
  ReturnBatchRequest,
  ReturnRequest,
  ReturnRowsAnswer,
  ReturnsAnswer,
  ObligationRequest,
  SubmissionUpdateRequest,
  SummaryAnswer,
  TaxVarianceAnswer,
  TransactionReportAnswer,
} from '../schema.ts'

/** Figures from the recorded sales. */
export function reports(http: Http) {
  return {
    summary: (query: QueryOf<'getSummaryReport'>, options: CallOptions = {}) =>
      answerOf<SummaryAnswer>(http.GET('/v1/reports/summary', { params: { query }, ...sent(options) })),

    taxVariance: (query: QueryOf<'getTaxVarianceReport'>, options: CallOptions = {}) =>
      answerOf<TaxVarianceAnswer>(
        http.GET('/v1/reports/tax-variance', { params: { query }, ...sent(options) }),
      ),

    transactions: (query: QueryOf<'listReportedTransactions'>, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<TransactionReportAnswer>(
            http.GET('/v1/reports/transactions', {
              params: { query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.transactions,
      ),

    lines: (query: QueryOf<'listReportedLines'>, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<LinesAnswer>(
            http.GET('/v1/reports/lines', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.lines,
      ),

    ossRecords: (query: QueryOf<'listOssRecords'>, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<OssRecordsAnswer>(
            http.GET('/v1/reports/oss-records', {
              params: { query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.records,
      ),

    /** The figures of a return in the layout of its form. */
    filing: (query: QueryOf<'getFilingReport'>, options: CallOptions = {}) =>
      answerOf<FilingAnswer>(http.GET('/v1/reports/filing', { params: { query }, ...sent(options) })),

    /** The return as a file for a tax office or an accountant. */
    filingFile: (query: QueryOf<'downloadFilingFile'>, options: CallOptions = {}) =>
      fileOf(
        http.GET('/v1/reports/filing/file', { params: { query }, parseAs: 'arrayBuffer', ...sent(options) }),
      ),

    /** A report as a CSV file. */
    export: (query: QueryOf<'exportReport'>, options: CallOptions = {}) =>
      fileOf(http.GET('/v1/reports/export', { params: { query }, parseAs: 'arrayBuffer', ...sent(options) })),
  }
}

/** Filed returns. Their figures never change. */
export function returns(http: Http) {
  return {
    /** Files a return: freezes its figures. */
    create: (filed: ReturnRequest, options: WriteOptions = {}) =>
      answerOf<ReturnAnswer>(http.POST('/v1/returns', { body: filed, ...sent(options) })),

    list: (query: QueryOf<'listReturns'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ReturnsAnswer>(
            http.GET('/v1/returns', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.returns,
      ),

    /** Files the returns of several states, each by itself. */
    createBatch: (filed: ReturnBatchRequest, options: WriteOptions = {}) =>
      answerOf<ReturnBatchAnswer>(http.POST('/v1/returns/batch', { body: filed, ...sent(options) })),

    get: (id: string, query: QueryOf<'getReturn'> = {}, options: CallOptions = {}) =>
      answerOf<ReturnAnswer>(
        http.GET('/v1/returns/{id}', { params: { path: { id }, query }, ...sent(options) }),
      ),

    /** Keeps what became of a return at the tax office. */
    submit: (id: string, submission: SubmissionUpdateRequest, options: WriteOptions = {}) =>
      answerOf<ReturnAnswer>(
        http.PUT('/v1/returns/{id}/submission', {
          params: { path: { id } },
          body: submission,
          ...sent(options),
        }),
      ),

    /** The rows behind a figure of the return. */
    rows: (id: string, query: QueryOf<'listReturnRows'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ReturnRowsAnswer>(
            http.GET('/v1/returns/{id}/rows', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.lines,
      ),

    /** Filed returns beside the books, with the texts of their hashes. */
    reconciliation: (query: QueryOf<'reconcileReturns'> = {}, options: CallOptions = {}) =>
      answerOf<ReconciliationAnswer>(
        http.GET('/v1/returns/reconciliation', { params: { query }, ...sent(options) }),
      ),

    /** The lines of a return as the texts that were hashed. */
    hashedRows: (id: string, query: QueryOf<'listHashedReturnRows'> = {}, options: CallOptions = {}) =>
      answerOf<HashedRowsAnswer>(
        http.GET('/v1/returns/{id}/hashed-rows', { params: { path: { id }, query }, ...sent(options) }),
      ),

    file: (id: string, query: QueryOf<'downloadReturnFile'> = {}, options: CallOptions = {}) =>
      fileOf(
        http.GET('/v1/returns/{id}/file', {
          params: { path: { id }, query },
          parseAs: 'arrayBuffer',
          ...sent(options),
        }),
      ),

    /** Opens a filed return again. Asks for the reason. */
    reopen: (id: string, reason: ReopenRequest, options: WriteOptions = {}) =>
      answerOf<ReturnAnswer>(
        http.POST('/v1/returns/{id}/reopen', { params: { path: { id } }, body: reason, ...sent(options) }),
      ),
  }
}

/** The returns that are due, and their calendar feed. */
export function obligations(http: Http) {
  return {
    list: (query: QueryOf<'listObligations'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<ObligationsAnswer>(
            http.GET('/v1/obligations', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.obligations,
      ),

    /** Sets an unfiled return aside, or tells that a statement was filed. Null takes it back. */
    update: (id: string, decision: ObligationRequest, options: WriteOptions = {}) =>
      answerOf<ObligationAnswer>(
        http.PUT('/v1/obligations/{id}', { params: { path: { id } }, body: decision, ...sent(options) }),
      ),

    calendar: {
      get: (options: CallOptions = {}) =>
        answerOf<CalendarFeedAnswer>(http.GET('/v1/obligations/calendar', sent(options))),
      /** Makes the address of the feed. Its old address ends. */
      create: (options: WriteOptions = {}) =>
        answerOf<NewCalendarFeedAnswer>(http.POST('/v1/obligations/calendar', sent(options))),
      delete: (options: CallOptions = {}) =>
        answerOf<CalendarFeedDeleted>(http.DELETE('/v1/obligations/calendar', sent(options))),
    },
  }
}
