import { ApiError } from '../api-error.ts'
import type { TaxClient } from '../client.ts'
import type { Transaction } from '../schema.ts'
import { gatheringCreate, type SaleWriter } from './gather-sales.ts'
import { requireFunctions } from './options.ts'
import { hasRefund, holdSame, NumberTakenError, type RecordedRefund, type RecordedSale } from './recorded.ts'
import { metadataOfLines, refundByLine, sharedRefund, type ShopRefund } from './refund-by-line.ts'
import { isUnavailable, tell } from './unavailable.ts'

/** What has to reach the books. `id` is unique, and plain JSON holds an entry. */
export type OutboxEntry =
  | { id: string; kind: 'sale'; sale: RecordedSale }
  | { id: string; kind: 'refund'; sale_external_id: string; refund: RecordedRefund }

/** A table or file of the shop. It must outlive the process. */
export type Outbox = {
  /** Keeps an entry. The same `id` again keeps what is there. */
  put: (entry: OutboxEntry) => Promise<void>
  /** The kept entries, oldest first. Give a bounded number of them. */
  list: () => Promise<readonly OutboxEntry[]>
  /** Forgets an entry; one that is gone is no error. */
  delete: (id: string) => Promise<void>
}

/**
 * An entry that is not in the books. `away`: a flush tries it again. `refused`, and `taken`, whose number the
 * books have with other amounts: a person has to look.
 */
export type Unrecorded = { entry: OutboxEntry; why: 'away' | 'refused' | 'taken'; error: unknown }

type Books = Pick<TaxClient['transactions'], 'create' | 'getByExternalId' | 'refund'>

export type RecorderOptions = {
  /** With `createBatch`, a flush sends up to 50 sales in one request. */
  tax: { transactions: Books & Partial<Pick<SaleWriter, 'createBatch'>> }
  outbox: Outbox
  /** Tells the merchant. It is not waited for, and its faults are ignored. */
  onUnrecorded: (unrecorded: Unrecorded) => unknown
  /** The time in milliseconds. */
  now?: () => number
}

export type Recorder = {
  /** Keeps the sale, and sends it. False: it stays in the outbox. Without a date, the sale is of now. */
  sale: (sale: RecordedSale) => Promise<boolean>
  /**
   * Keeps the refund of the sale with this number, and sends it. False: it stays in the outbox. A refund of 0
   * gives nothing back, and is neither kept nor sent.
   */
  refund: (sale_external_id: string, refund: RecordedRefund) => Promise<boolean>
  /**
   * Sends what the outbox has, oldest first, until the service is away. Up to 50 sales are one request.
   * Returns how many were recorded.
   */
  flush: () => Promise<number>
}

/**
 * Records sales and refunds in the books, each once. An entry is kept before it is sent, and forgotten
 * after it is in the books, so a crash at any moment loses none. The numbers of the shop keep a repeat from
 * being done twice: what has a number of the books is compared with them. Faults of the outbox are thrown;
 * those of the service are told to `onUnrecorded`. Throws a TypeError for an option that is missing.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  requireFunctions('createRecorder', options, NEEDED)
  const { tax, outbox, onUnrecorded, now = Date.now } = options

  /** Null: it is in the books. */
  async function send(entry: OutboxEntry, books: Books): Promise<Unrecorded | null> {
    try {
      await (entry.kind === 'sale' ? sendSale(books, entry.sale) : sendRefund(books, entry))
      return null
    } catch (error) {
      return { entry, why: whyOf(error), error }
    }
  }

  async function keepAndSend(entry: OutboxEntry): Promise<boolean> {
    await outbox.put(entry)
    const unrecorded = await send(entry, tax.transactions)
    if (unrecorded === null) await outbox.delete(entry.id)
    else tell(onUnrecorded, unrecorded)
    return unrecorded === null
  }

  return {
    sale: (sale) => {
      // A sale that waits must not move to the day, and the rates, on which it is sent.
      const transaction_date = sale.transaction_date ?? new Date(now()).toISOString()
      const id = `sale ${sale.external_id}`
      return keepAndSend({ id, kind: 'sale', sale: { ...sale, transaction_date } })
    },
    refund: (sale_external_id, refund) => {
      const refunded_at = refund.refunded_at ?? new Date(now()).toISOString()
      if (refund.amount === 0) return Promise.resolve(true)
      const id = outboxIdOfRefund(sale_external_id, refund.external_id)
      return keepAndSend({ id, kind: 'refund', sale_external_id, refund: { ...refund, refunded_at } })
    },
    flush: async () => {
      let recorded = 0
      const books = gatheringBooks(tax.transactions)
      for (const entries of sentAtOnce(await outbox.list(), books === null ? 1 : SALES_AT_ONCE)) {
        const outcomes = await Promise.all(entries.map((entry) => send(entry, books ?? tax.transactions)))
        const away = outcomes.find((unrecorded) => unrecorded?.why === 'away')
        for (const [at, { id }] of entries.entries()) {
          const unrecorded = outcomes[at] ?? null
          if (unrecorded === null) {
            await outbox.delete(id)
            recorded += 1
            // That the service is away is told once.
          } else if (unrecorded.why !== 'away' || unrecorded === away) tell(onUnrecorded, unrecorded)
        }
        if (away !== undefined) break
      }
      return recorded
    },
  }
}

/** As many as one request has. */
const SALES_AT_ONCE = 50

/** The books that take the sales of one moment in one request. Null: the shop gave no `createBatch`. */
function gatheringBooks(transactions: RecorderOptions['tax']['transactions']): Books | null {
  const { create, createBatch } = transactions
  if (createBatch === undefined) return null
  return { ...transactions, create: gatheringCreate({ create, createBatch }, { wait: 0 }) }
}

/** The entries in their order. Sales are sent together; what needs an earlier entry waits for it. */
function sentAtOnce(entries: readonly OutboxEntry[], most: number): OutboxEntry[][] {
  const together: OutboxEntry[][] = []
  let sales: OutboxEntry[] = []
  for (const entry of entries) {
    if (needsEarlier(entry)) {
      together.push([entry])
      sales = []
      continue
    }
    if (sales.length % most === 0) together.push((sales = []))
    sales.push(entry)
  }
  return together
}

function needsEarlier(entry: OutboxEntry): boolean {
  if (entry.kind === 'refund') return true
  const { credit_note_for = null, settles = null } = entry.sale
  return credit_note_for !== null || settles !== null
}

const NEEDED = [
  'tax.transactions.create',
  'tax.transactions.getByExternalId',
  'tax.transactions.refund',
  'outbox.put',
  'outbox.list',
  'outbox.delete',
  'onUnrecorded',
]

/**
 * The id in the outbox of a refund: the numbers of refunds may repeat between sales. A shop that looks for an
 * entry in its outbox finds it by this id, and a sale by `sale ` and its number.
 */
export function outboxIdOfRefund(sale_external_id: string, external_id: string): string {
  return `refund ${JSON.stringify([sale_external_id, external_id])}`
}

function whyOf(error: unknown): Unrecorded['why'] {
  if (error instanceof NumberTakenError) return 'taken'
  return isUnavailable(error) ? 'away' : 'refused'
}

async function sendSale(transactions: Books, { shop_lines, ...sale }: RecordedSale): Promise<void> {
  const metadata = shop_lines && { ...metadataOfLines(shop_lines), ...sale.metadata }
  try {
    await transactions.create({ ...sale, ...(metadata && { metadata }) })
  } catch (error) {
    if (!isTaken(error)) throw error
    holdSame(sale, await transactions.getByExternalId(sale.external_id))
  }
}

async function sendRefund(
  transactions: Books,
  { sale_external_id, refund }: Extract<OutboxEntry, { kind: 'refund' }>,
): Promise<void> {
  if (refund.amount === 0) return
  const sale = await transactions.getByExternalId(sale_external_id)
  // The repeat of a whole refund is refused as too large, before its number is looked at.
  if (hasRefund(sale, refund)) return
  try {
    await (refund.shop_lines === undefined
      ? transactions.refund(sale.id, refund)
      : refundLines(transactions, sale, refund))
  } catch (error) {
    if (!isTaken(error)) throw error
    // An earlier attempt was done meanwhile, or another sale has a refund of this number.
    if (!hasRefund(await transactions.getByExternalId(sale_external_id), refund))
      throw new NumberTakenError(refund.external_id, 'another sale')
  }
}

async function refundLines(transactions: Books, sale: Transaction, refund: ShopRefund): Promise<void> {
  const byLine = refundByLine(sale, refund)
  try {
    await transactions.refund(sale.id, byLine)
  } catch (error) {
    const isTooMuch = error instanceof ApiError && error.reason === 'refund_exceeds_remaining'
    if (!isTooMuch || byLine.line_items === undefined) throw error
    // Another refund came between, or an earlier one was shared: the service knows what a line has left.
    const shared = sharedRefund(refund, 'the lines that the shop names have less left')
    await transactions.refund(sale.id, shared)
  }
}

/** The number is in the books: of an earlier attempt, whose answer was lost, or of something else. */
function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'external_id_taken'
}
