import { bookFor } from '../../../tax-data/records/book-for.ts'
import type { Context } from '../../../platform/context.ts'
import { loadCustomerOf } from '../../../parties/customers/known-customers.ts'
import { commit } from '../../../platform/writes/commit.ts'
import type { BooksDb } from '../../../platform/database/databases.ts'
import { ownShard } from '../../../platform/database/shards.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { auditIdOf } from '../../../platform/database/values/audit-ids.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { transactionCreated } from '../../../notices/events/events.ts'
import { insertNamedEvents } from '../../../notices/events/named-events-store.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import {
  creditedSaleOf,
  loadCredited,
  type SaleAsRead,
  takenAsRead,
} from '../give-back/credited-sales-store.ts'
import { takersOf } from '../give-back/remainder.ts'
import { type Draft, draftTransaction } from './draft.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { countUses } from '../../../parties/exemptions/uses-store.ts'
import { certificatesUsed } from '../sale/sale-context.ts'
import { withEinvoice } from '../read/shown-einvoice.ts'
import { presentTransaction } from '../sale/present.ts'
import type { Transaction } from '../sale/answers.ts'
import { withOwnProducts } from './own-products.ts'
import type { WholeSale } from '../sale/rows.ts'
import type { TransactionInput, TransactionRequested } from '../sale/schemas.ts'
import { countTransactions } from '../sums/counts-store.ts'
import { findTransactions } from '../sale/store.ts'
import { keepWords } from '../sale/words-store.ts'
import { refuseSealed } from '../../sealed/sealed-names-store.ts'
import { addSalesToTotals } from '../sums/totals-store.ts'

/**
 * Records a sale: row, lines, totals, counts, audit event and idempotent answer in one batch. If an earlier
 * sale that it settles changes meanwhile, it begins again.
 */
export async function recordTransaction(
  context: Context,
  requested: TransactionRequested,
): Promise<Answer<typeof Transaction>> {
  const body = await withOwnProducts(context, requested)
  return readAgainOnChange(() => recordOnce(context, body))
}

async function recordOnce(context: Context, body: TransactionInput): Promise<Answer<typeof Transaction>> {
  const draft = await draftAlone(context, body, (sale) => sale)
  const answer = await presentDraft(draft)
  await commitDrafts(context, [draft], answer)
  return answer
}

/** The draft of one sale. `asLeft`: the sales that it credits or settles, as its write finds them. */
export async function draftAlone(
  context: Context,
  body: TransactionInput,
  asLeft: (sale: WholeSale) => WholeSale,
): Promise<Draft> {
  const known = await loadCustomerOf(context, body)
  const { settles = [] } = body
  const settled = await findTransactions(context, {
    ids: settles.flatMap(({ transaction_id }) => transaction_id ?? []),
    external_ids: settles.flatMap(({ external_id }) => external_id ?? []),
  })
  const credited = creditedSaleOf(body, (await loadCredited(context, [body])).map(asLeft))
  const book = await bookFor(context)
  return draftTransaction(context, book, body, known, { credited, settled: settled.map(asLeft) })
}

/** Writes drafts with their totals, counts and audit events. Throws external_id_taken. */
export async function commitDrafts(
  context: Context,
  drafts: readonly Draft[],
  answer: object,
): Promise<void> {
  await commit(context, { ...writeOfDrafts(context, drafts), answer })
}

/**
 * The write of drafts with their totals, counts and audit events. `searchable` is 1 for sales whose ids are
 * of another moment, because the tick that adds sales to the search looks only at new ids.
 */
export function writeOfDrafts(
  context: Context,
  drafts: readonly Draft[],
  searchable: 0 | 1 = 0,
): PartOfWrite {
  const { books } = context
  const { account_id } = context.principal
  const rows = drafts.map((draft) => draft.row)
  const recorded = rows.length > 0
  const taken = salesAsRead(drafts)
  const named = rows.flatMap(({ external_id }) => external_id ?? [])
  const transaction_lines = drafts.reduce((sum, { lines }) => sum + lines.length, 0)
  return {
    changes: [
      ...keepWords(
        books,
        drafts.flatMap(({ stored }) => stored.words),
      ),
      ...(context.env.CHESTS !== undefined && named.length > 0
        ? [refuseSealed(books, account_id, named)]
        : []),
      ...rowsOfDrafts(books, account_id, drafts, searchable),
      ...(taken.length > 0 ? [takenAsRead(books, account_id, taken)] : []),
      ...countUses(books, account_id, rows.flatMap(certificatesUsed), 1),
      ...(recorded
        ? [
            addSalesToTotals(
              books,
              account_id,
              rows.map((row) => row.id),
            ),
            countTransactions(books, account_id, rows.map(countOfRow)),
            ...markLateEntries(books, account_id, rows),
          ]
        : []),
    ],
    stores: { transaction_lines },
    events: insertNamedEvents(
      context.env,
      ownShard(context),
      rows.map((row) => transactionCreated(account_id, row)),
      context.now,
    ),
    audit: rows.map(({ id }) => ({
      action: 'transaction.created',
      resource_id: id,
      changed: [],
      // An event of another moment would be sealed late.
      ...(searchable === 0 && { id: auditIdOf(id) }),
    })),
  }
}

function rowsOfDrafts(
  books: BooksDb,
  account_id: string,
  drafts: readonly Draft[],
  searchable: 0 | 1,
): D1PreparedStatement[] {
  return [
    ...insertRows(
      books,
      'transactions',
      drafts.map(({ row, stored: { facts, reasons } }) => ({
        account_id,
        ...row,
        facts,
        reasons,
        searchable,
      })),
    ),
    ...insertRows(
      books,
      'transaction_lines',
      drafts.flatMap(({ lines }) => lines.map((line) => ({ account_id, ...line }))),
    ),
    ...insertRows(
      books,
      'settlements',
      drafts.flatMap(({ settlements }) => settlements.map(({ row }) => ({ account_id, ...row }))),
    ),
  ]
}

/** The sales that credit notes correct and final sales settle, as they are after the write. */
function salesAsRead(drafts: readonly Draft[]): SaleAsRead[] {
  const sales = new Map<string, string[]>()
  for (const { row, credited, settlements } of drafts)
    for (const sale of [
      ...(credited === null ? [] : [credited]),
      ...settlements.map(({ settled }) => settled),
    ])
      sales.set(sale.row.id, [...takersOf(sale), row.id])
  return [...sales].map(([id, takers]) => ({ id, takers: takers.toSorted() }))
}

/** A drafted sale, with the view of its invoice if the request asks for it. */
export async function presentDraft({
  row,
  lines,
  einvoice,
  notes,
}: Pick<Draft, 'row' | 'lines' | 'einvoice' | 'notes'>): Promise<Answer<typeof Transaction>> {
  const stored = { row, lines, refunds: [] }
  const answer = { ...presentTransaction(stored), ...(notes.length > 0 && { notes: [...notes] }) }
  return einvoice ? withEinvoice(stored, answer, einvoice.language ?? null) : answer
}

function countOfRow({ day, jurisdiction_id, status }: Draft['row']) {
  return { day, jurisdiction_id, status, change: 1 }
}
