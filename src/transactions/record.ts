import { localBookFor } from '../tax-data/local-book-for.ts'
import { bookFor } from '../tax-data/book-for.ts'
import type { Context } from '../context.ts'
import { type KnownCustomer, loadCustomerOf } from '../customers/known-customers.ts'
import { commit } from '../database/commit.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { Answer } from '../http/answers.ts'
import { type Draft, draftTransaction } from './draft.ts'
import { presentTransaction } from './present.ts'
import type { TransactionBody, Transaction } from './schemas.ts'
import { addSalesToTotals, countTransactions } from './totals-store.ts'

/** Records a sale: row, lines, totals, counts, audit event and idempotent answer in one batch. */
export async function recordTransaction(
  context: Context,
  body: TransactionBody,
): Promise<Answer<typeof Transaction>> {
  const known = await loadCustomerOf(context, body)
  const book = await bookFor(context)
  const local = await localBookFor(context, book, placesOfSale(body, known))
  const draft = draftTransaction(context, book, body, known, local)
  const answer = presentDraft(draft)
  await commitDrafts(context, [draft], answer)
  return answer
}

/** The places of a sale that decide whether local taxes may apply. */
export function placesOfSale({ customer, supply_address }: TransactionBody, known: KnownCustomer | null) {
  return { customer: customer?.address ?? known?.address ?? null, supply: supply_address ?? null }
}

/** Writes drafts with their totals, counts and audit events. Throws external_id_taken. */
export async function commitDrafts(
  context: Context,
  drafts: readonly Draft[],
  answer: object,
): Promise<void> {
  const { DB } = context.env
  const { account_id } = context.principal
  const rows = drafts.map((draft) => draft.row)
  const recorded = rows.length > 0
  await commit(context, {
    changes: [
      ...insertRows(
        DB,
        'transactions',
        rows.map((row) => ({ account_id, ...row })),
      ),
      ...insertRows(
        DB,
        'transaction_lines',
        drafts.flatMap(({ lines }) => lines.map((line) => ({ account_id, ...line }))),
      ),
      ...(recorded
        ? [
            addSalesToTotals(
              DB,
              account_id,
              rows.map((row) => row.id),
            ),
            countTransactions(DB, account_id, rows.map(countOf)),
          ]
        : []),
    ],
    audit: rows.map((row) => ({ action: 'transaction.created', resource_id: row.id, changed: [] })),
    answer,
  })
}

export function presentDraft({ row, lines }: Draft): Answer<typeof Transaction> {
  return presentTransaction({ row, lines, refunds: [] })
}

function countOf({ transaction_date, jurisdiction_id, status }: Draft['row']) {
  return { day: transaction_date.slice(0, 10), jurisdiction_id, status, change: 1 }
}
