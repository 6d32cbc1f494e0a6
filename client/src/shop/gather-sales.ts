import { ApiError } from '../api-error.ts'
import type { WriteOptions } from '../call.ts'
import type { TaxClient } from '../client.ts'
import type { AnswerHead } from '../retrying-fetch.ts'
import type { ErrorCode, ItemError, TransactionAnswer, TransactionRequest } from '../schema.ts'

export type GatherOptions = {
  /** How many sales a request has at most: 1 to 50. */
  most?: number
  /** How long the first sale of a request waits for others, in milliseconds. */
  wait?: number
}

/** What records sales, one by one and many at once. */
export type SaleWriter = Pick<TaxClient['transactions'], 'create' | 'createBatch'>

type Waiting = {
  sale: TransactionRequest
  resolve: (answer: TransactionAnswer) => void
  reject: (error: unknown) => void
}

/** The service takes no more in one request. */
const MOST = 50
/** So 50 sales stay below the 2,000 lines and the 1 MiB of a request. */
const LINES_MAX = 40
const CHARACTERS_MAX = 6_000

/**
 * The same client, whose `transactions.create` gathers the sales of calls at the same time into one request
 * for up to 50. The database of the service writes a batch about seven times as fast. Each call is answered
 * or refused on its own, as without it. Sent alone are large sales, sales that settle others, sales without
 * `external_id`, and calls with options: a batch has one Idempotency-Key, so a number must keep a sale from
 * being recorded twice. For a process that serves many orders: a Worker has one request at a time.
 */
export function gatherSales(tax: TaxClient, options: GatherOptions = {}): TaxClient {
  return { ...tax, transactions: { ...tax.transactions, create: gatheringCreate(tax.transactions, options) } }
}

/** The `create` of a client that gathers. */
export function gatheringCreate(
  transactions: SaleWriter,
  { most = MOST, wait = 200 }: GatherOptions,
): SaleWriter['create'] {
  let waiting: Waiting[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    clearTimeout(timer)
    const gathered = waiting
    waiting = []
    void sendGathered(transactions, gathered)
  }
  return async (sale: TransactionRequest, options?: WriteOptions) => {
    const copy = options === undefined ? copyToGather(sale) : null
    if (copy === null) return transactions.create(sale, options)
    return new Promise<TransactionAnswer>((resolve, reject) => {
      waiting.push({ sale: copy, resolve, reject })
      if (waiting.length >= Math.min(most, MOST)) send()
      else if (waiting.length === 1) timer = setTimeout(send, wait)
    })
  }
}

/** The sale as it is now: the shop may change its object while it waits. Null: it is sent alone. */
function copyToGather(sale: TransactionRequest): TransactionRequest | null {
  if (!sale?.external_id || sale.settles !== undefined) return null
  const text = JSON.stringify(sale)
  if (text.length > CHARACTERS_MAX || (sale.line_items?.length ?? 0) > LINES_MAX) return null
  return JSON.parse(text)
}

async function sendGathered(transactions: SaleWriter, gathered: readonly Waiting[]): Promise<void> {
  const [first, second] = gathered
  if (first !== undefined && second === undefined) return sendAlone(transactions, first)
  try {
    let head: AnswerHead | undefined
    const onAnswer = (answered: AnswerHead) => (head = answered)
    const body = { transactions: gathered.map(({ sale }) => sale) }
    const { results, queried_at } = await transactions.createBatch(body, { onAnswer })
    for (const { index, data, error } of results) {
      const call = gathered[index]
      if (data !== undefined) call?.resolve({ ...data, queried_at })
      else if (error !== undefined) call?.reject(refusalOf(error, head))
    }
    const none = new TypeError('The answer to the batch has no result for this sale')
    for (const { reject } of gathered) reject(none)
  } catch (error) {
    // A sale for which the service refuses the whole request must not fail the others.
    if (isRefusalOfAll(error)) for (const call of gathered) void sendAlone(transactions, call)
    else for (const { reject } of gathered) reject(error)
  }
}

async function sendAlone(transactions: SaleWriter, { sale, resolve, reject }: Waiting): Promise<void> {
  await transactions.create(sale).then(resolve, reject)
}

/** Nothing of the request was recorded. After a lost answer, a reason that names the key does not say so. */
function isRefusalOfAll(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.reason?.startsWith('idempotency_')) return false
  return error.status === 400 || error.reason === 'quota_exceeded'
}

/** What a call of its own would have thrown. */
function refusalOf(error: ItemError, head: AnswerHead | undefined): ApiError {
  const { [error.error_code]: status = 400 } = STATUSES
  return new ApiError(new Response(null, { status, headers: head?.headers ?? {} }), error)
}

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
}
