import { bookFor } from '../tax-data/book-for.ts'
import type { Context } from '../context.ts'
import { loadCustomers } from '../customers/known-customers.ts'
import { commit } from '../database/commit.ts'
import { insertRows } from '../database/insert-rows.ts'
import { fieldError } from '../errors.ts'
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
  const customers = await loadCustomers(context, body.customer_id ? [body.customer_id] : [])
  const draft = draftTransaction(context, await bookFor(context), body, customerOf(body, customers))
  const answer = presentDraft(draft)
  await commitDrafts(context, [draft], answer)
  return answer
}

/** Writes drafts with all that hangs on them. Throws external_id_taken. */
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

/**
 * The customer on file that the body names, or null. Throws invalid_request when there is none of this id.
 */
export function customerOf<Known>(
  { customer_id }: TransactionBody,
  customers: ReadonlyMap<string, Known>,
): Known | null {
  if (!customer_id) return null
  const known = customers.get(customer_id)
  if (known === undefined) throw fieldError('not_found', 'customer_id', 'is not a customer of this account')
  return known
}

export function presentDraft({ row, lines }: Draft): Answer<typeof Transaction> {
  return presentTransaction({ row, lines, refunds: [] })
}

function countOf({ transaction_date, jurisdiction_id, status }: Draft['row']) {
  return { day: transaction_date.slice(0, 10), jurisdiction_id, status, change: 1 }
}
