import * as z from 'zod'
import type { Context } from '../../../platform/context.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../../platform/errors.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { checkBySchema } from '../../../platform/http/check-body.ts'
import { ExternalId } from '../../../platform/http/fields.ts'
import { commit } from '../../../platform/writes/commit.ts'
import { joinWrites } from '../../../platform/writes/join-writes.ts'
import type { Transaction } from '../sale/answers.ts'
import type { StoredTransaction, WholeSale } from '../sale/rows.ts'
import type { TransactionInput, TransactionRequested } from '../sale/schemas.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import { findTransactions } from '../sale/store.ts'
import type { Draft } from './draft.ts'
import { isOfTaxJarForm } from './form-store.ts'
import { withOwnProducts } from './own-products.ts'
import { draftAlone, presentDraft, writeOfDrafts } from './record.ts'
import { writeOfSuperseding } from './supersede.ts'

/** The path has no schema of its own. */
const NAMED = z.strictObject({ external_id: ExternalId })

/**
 * Records a sale under its external id, in place of the one that has it. The same content again changes
 * nothing. A request without a day keeps the day of the sale before. If another request saves the sale
 * meanwhile, it begins again. Throws transaction_not_replaceable and period_already_filed with what to do.
 */
export async function saveTransaction(
  context: Context,
  external_id: string,
  requested: TransactionRequested,
): Promise<Answer<typeof Transaction>> {
  await checkBySchema(NAMED, { external_id })
  if ((requested.external_id ?? external_id) !== external_id)
    throw fieldError('invalid_request', 'external_id', 'must be that of the path, or left out')
  const body = await withOwnProducts(context, { ...requested, external_id })
  return readAgainOnChange(() => saveOnce(context, external_id, body))
}

async function saveOnce(
  context: Context,
  external_id: string,
  body: TransactionInput,
): Promise<Answer<typeof Transaction>> {
  const [before] = await findTransactions(context, { ids: [], external_ids: [external_id] })
  const kept_date =
    body.transaction_date ?? body.calculation?.transaction_date ?? before?.row.transaction_date
  const dated = { ...body, transaction_date: kept_date }
  const draft = await draftAlone(context, dated, (sale) => withoutTaker(sale, before))
  if (before !== undefined && contentOf(before) === contentOf(draft))
    return presentDraft({ ...draft, row: before.row, lines: [...before.lines] })
  const answer = await presentDraft(draft)
  const taken_out = before === undefined ? [] : [await takenOut(context, before, draft)]
  try {
    await commit(context, { ...joinWrites([...taken_out, writeOfDrafts(context, [draft])]), answer })
  } catch (thrown) {
    throw reasonOf(thrown, external_id)
  }
  return answer
}

/** A sale as it is once another one, which credits or settles it, has left the books. */
function withoutTaker(sale: WholeSale, taker: StoredTransaction | undefined): WholeSale {
  return {
    ...sale,
    notes: sale.notes.filter(({ id }) => id !== taker?.row.id),
    settlements: sale.settlements.filter(({ transaction_id }) => transaction_id !== taker?.row.id),
  }
}

/** What the books say of a sale, without ids and moments. A release of tax data alone changes no sale. */
function contentOf({ row, lines }: Pick<StoredTransaction, 'row' | 'lines'>): string {
  const { id: _id, created_at: _at, updated_at: _changed, completed_at: _completed, ...of_sale } = row
  const { data_version: _version, facts, ...content } = of_sale
  const of_lines = lines.map(({ id: _line, transaction_id: _sale, ...line }) => sorted(line))
  return JSON.stringify([sorted(content), sorted(readSaleContext(facts)), of_lines])
}

function sorted(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** The write that takes the sale before out of the books. Throws why it has to stay, and what to do. */
async function takenOut(context: Context, before: WholeSale, { row }: Draft) {
  const { status } = before.row
  if (status === 'completed' && row.status === 'pending')
    throw fieldError('invalid_request', 'status', 'is pending, and the sale is completed: leave it out')
  const why = (await isOfTaxJarForm(context, before.row)) ? OF_TAXJAR : whyItStays(before)
  if (why !== null)
    throw new ApiError('transaction_not_replaceable', { message: `The transaction stays as it is: ${why}` })
  return writeOfSuperseding(context, before, row.id)
}

const OF_TAXJAR = 'it came in the form of TaxJar. Change it with PUT /v2/transactions/orders/{transaction_id}'

const OTHER_NUMBER = 'record the change under another external_id'

function whyItStays({ row, refunds, notes, settlements }: WholeSale): string | null {
  if (row.status === 'voided') return `it is voided. To sell it after all, ${OTHER_NUMBER}`
  if (refunds.length > 0) {
    const deleting = 'delete it with DELETE /v1/transactions/{id}/refunds/{refund_id}'
    return `it has a refund. If that failed, ${deleting}; else ${OTHER_NUMBER}`
  }
  if (notes.length > 0) return `a credit note corrects it. For what changes further, ${OTHER_NUMBER}`
  return settlements.length > 0 ? 'a final sale settles it. Change that sale instead' : null
}

/**
 * The error of a write that failed. Another request that recorded the id first makes this one begin again.
 */
function reasonOf(thrown: unknown, external_id: string): unknown {
  if (!(thrown instanceof ApiError)) return thrown
  if (thrown.reason === 'external_id_taken') return new ApiError('concurrent_change')
  if (thrown.reason !== 'period_already_filed') return thrown
  return new ApiError('period_already_filed', {
    message:
      `The transaction ${external_id} is in a return that is filed or being filed: refund it, or record ` +
      'a credit note and the new invoice under other numbers. The next return declares the correction',
  })
}
