import { ApiError } from '../api-error.ts'
import type { WriteOptions } from '../call.ts'
import type { TaxClient } from '../client.ts'
import type { ErrorCode, ItemError, TransactionAnswer, TransactionRequest } from '../schema.ts'

export type GatherOptions = {
  /** How many sales a request has at most: 1 to 50. */
  most?: number
  /** How long the first sale of a request waits for others, in milliseconds. */
  wait?: number
}

type Waiting = {
  sale: TransactionRequest
  resolve: (answer: TransactionAnswer) => void
  reject: (error: unknown) => void
}

/** So 50 sales stay below the 2,000 lines and the 1 MiB of a request. */
const LINES_MAX = 40
const CHARACTERS_MAX = 6_000

/**
 * The same client, whose `transactions.create` gathers the sales of calls at the same time into one request
 * for up to 50. The database of the service writes a batch about seven times as fast. Each call is answered
 * or refused on its own, as without it. Sent alone are large sales, sales that settle others, sales without
 * `external_id`, and calls with options: a batch has one Idempotency-Key, so a number must keep a sale from
 * being recorded twice.
 */
export function gatherSales(tax: TaxClient, { most = 50, wait = 200 }: GatherOptions = {}): TaxClient {
  let waiting: Waiting[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    clearTimeout(timer)
    const gathered = waiting
    waiting = []
    void sendGathered(tax, gathered)
  }
  const create = (sale: TransactionRequest, options?: WriteOptions) => {
    if (options !== undefined || !canWait(sale)) return tax.transactions.create(sale, options)
    return new Promise<TransactionAnswer>((resolve, reject) => {
      waiting.push({ sale, resolve, reject })
      if (waiting.length >= most) send()
      else if (waiting.length === 1) timer = setTimeout(send, wait)
    })
  }
  return { ...tax, transactions: { ...tax.transactions, create } }
}

function canWait(sale: TransactionRequest): boolean {
  return (
    !!sale.external_id &&
    sale.settles === undefined &&
    (sale.line_items?.length ?? 0) <= LINES_MAX &&
    JSON.stringify(sale).length <= CHARACTERS_MAX
  )
}

async function sendGathered({ transactions }: TaxClient, gathered: readonly Waiting[]): Promise<void> {
  try {
    const body = { transactions: gathered.map(({ sale }) => sale) }
    const { results, queried_at } = await transactions.createBatch(body)
    for (const { index, data, error } of results) {
      const call = gathered[index]
      if (data !== undefined) call?.resolve({ ...data, queried_at })
      else if (error !== undefined) call?.reject(refusalOf(error))
    }
    const none = new TypeError('The answer to the batch has no result for this sale')
    for (const { reject } of gathered) reject(none)
  } catch (error) {
    for (const { reject } of gathered) reject(error)
  }
}

/** What a call of its own would have thrown. */
function refusalOf(error: ItemError): ApiError {
  const { [error.error_code]: status = 400 } = STATUSES
  return new ApiError(new Response(null, { status }), error)
}

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMIT_EXCEEDED: 429,
}
