import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  RefundAnswer,
  RefundRequest,
  TransactionAnswer,
  TransactionBatchAnswer,
  TransactionBatchRequest,
  TransactionRequest,
  TransactionsAnswer,
  VoidAnswer,
} from '../schema.ts'

/** Recorded sales. */
export function transactions(http: Http) {
  return {
    /** Records a sale. Without tax in its lines, the service calculates the tax. */
    create: (sale: TransactionRequest, options: WriteOptions = {}) =>
      answerOf<TransactionAnswer>(http.POST('/v1/transactions', { body: sale, ...sent(options) })),

    /** Records up to 50 sales. Each succeeds or fails alone. */
    createBatch: (batch: TransactionBatchRequest, options: WriteOptions = {}) =>
      answerOf<TransactionBatchAnswer>(
        http.POST('/v1/transactions/batch', { body: batch, ...sent(options) }),
      ),

    /** All sales, newest first. */
    list: (query: Omit<QueryOf<'getTransactions'>, 'offset'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<TransactionsAnswer>(
            http.GET('/v1/transactions', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.transactions,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<TransactionAnswer>(
        http.GET('/v1/transactions/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** The sale with your own number. */
    getByExternalId: (externalId: string, options: CallOptions = {}) =>
      answerOf<TransactionAnswer>(
        http.GET('/v1/transactions/external/{externalId}', {
          params: { path: { externalId } },
          ...sent(options),
        }),
      ),

    /** Refunds an amount with its tax, single lines, or by `rest: true` all that is left. */
    refund: (id: string, refund: RefundRequest, options: WriteOptions = {}) =>
      answerOf<RefundAnswer>(
        http.POST('/v1/transactions/{id}/refund', {
          params: { path: { id } },
          body: refund,
          ...sent(options),
        }),
      ),

    /** Completes a pending sale. */
    complete: (id: string, options: WriteOptions = {}) =>
      answerOf<TransactionAnswer>(
        http.POST('/v1/transactions/{id}/complete', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Voids a pending sale. */
    void: (id: string, options: WriteOptions = {}) =>
      answerOf<VoidAnswer>(
        http.POST('/v1/transactions/{id}/void', { params: { path: { id } }, ...sent(options) }),
      ),
  }
}
