import type { Context } from '../../src/platform/context.ts'
import { externalIdTaken } from '../../src/platform/database/guard.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { validate } from '../../src/platform/http/validate.ts'
import { withAmounts } from '../../src/sales/calculation/line-amounts.ts'
import { refundRow } from '../../src/sales/transactions/give-back/refund-row.ts'
import { answerOfRefund, withRefund } from '../../src/sales/transactions/give-back/refunded-sale.ts'
import { draftTransaction } from '../../src/sales/transactions/record/draft.ts'
import { presentTransaction } from '../../src/sales/transactions/sale/present.ts'
import type { StoredTransaction } from '../../src/sales/transactions/sale/rows.ts'
import { RefundRequest, TransactionRequest } from '../../src/sales/transactions/sale/schemas.ts'
import { SnapshotError } from './books.ts'
import { type Loaded, missingState, ownLines } from './offline.ts'

type Write = { body: unknown; key: string | null; now: Date }

/** The recorded sales of one fake. They have the figures of the engine, and are checked as by the service. */
export type FakeBooks = {
  record: (asked: Write) => Promise<object>
  refund: (id: string, asked: Write) => Promise<object>
  show: (by: { id: string } | { external_id: string }, now: Date) => object
}

/** What a recorded sale has of other records, which the fake does not keep. */
const NOT_KEPT = ['customer_id', 'calculation_token', 'credit_note_for', 'settles', 'einvoice'] as const

/** Books without a sale. They throw the errors of the service, and a SnapshotError for what they lack. */
export function createFakeBooks({ books, principal }: Loaded): FakeBooks {
  const sales = new Map<string, StoredTransaction>()
  const once = answersByKey()
  // The draft reads no more of it, because the books are at hand.
  const contextAt = (now: Date) => ({ env: {}, principal, now }) as Context
  const only = (found: StoredTransaction | undefined) => {
    if (found === undefined) throw new ApiError('not_found')
    return found
  }
  const bearing = (external_id: string) =>
    [...sales.values()].find(({ row }) => row.external_id === external_id)
  const record = async (asked: unknown, now: Date): Promise<object> => {
    const { book, local } = books
    const requested = requestOf(asked)
    const { row, lines, notes } = await draftTransaction(contextAt(now), book, requested, null, { local })
    if (row.external_id !== null && bearing(row.external_id)) throw externalIdTaken('transactions')
    const sale = { row, lines, refunds: [] }
    const answer = presentTransaction(sale)
    missingState(books, answer)
    sales.set(row.id, sale)
    return { ...answer, ...(notes.length > 0 && { notes }), queried_at: now.toISOString() }
  }
  const refund = async (id: string, asked: unknown, now: Date): Promise<object> => {
    const body = validate(RefundRequest, asked)
    const sale = only(sales.get(id))
    const row = refundRow(contextAt(now), sale, body)
    const earlier = [...sales.values()].flatMap(({ refunds }) => refunds)
    if (row.external_id !== null && earlier.some(({ external_id }) => external_id === row.external_id))
      throw externalIdTaken('refunds')
    const after = withRefund(sale, row)
    sales.set(id, after)
    return { ...answerOfRefund(after, row), queried_at: now.toISOString() }
  }
  return {
    record: ({ body, key, now }) => once(key, ['record', body], () => record(body, now)),
    refund: (id, { body, key, now }) => once(key, [id, body], () => refund(id, body, now)),
    show: (by, now) => {
      const found = only('id' in by ? sales.get(by.id) : bearing(by.external_id))
      return { ...presentTransaction(found), queried_at: now.toISOString() }
    },
  }
}

function requestOf(asked: unknown) {
  const { line_items, calculation, ...rest } = validate(TransactionRequest, asked)
  for (const field of NOT_KEPT)
    if (rest[field])
      throw new SnapshotError(`The fake records no sale with ${field}: give the answer in answers`)
  return {
    ...rest,
    ...(line_items && { line_items: ownLines(withAmounts(line_items), 'line_items') }),
    ...(calculation && {
      calculation: {
        ...calculation,
        line_items: ownLines(calculation.line_items, 'calculation.line_items'),
      },
    }),
  }
}

/** Does a write once for each Idempotency-Key. Throws idempotency_key_reused for another request with it. */
function answersByKey() {
  const done = new Map<string, { request: string; answer: object }>()
  return async (key: string | null, asked: unknown, write: () => Promise<object>): Promise<object> => {
    const request = JSON.stringify(asked)
    const earlier = key === null ? undefined : done.get(key)
    if (earlier !== undefined && earlier.request !== request) throw new ApiError('idempotency_key_reused')
    const answer = earlier?.answer ?? (await write())
    if (key !== null) done.set(key, { request, answer })
    return answer
  }
}
