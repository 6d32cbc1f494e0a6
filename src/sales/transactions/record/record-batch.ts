import { bookFor } from '../../../tax-data/records/book-for.ts'
import type { Context } from '../../../platform/context.ts'
import { customerOf, loadCustomers } from '../../../parties/customers/known-customers.ts'
import { externalIdTaken } from '../../../platform/database/guard.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../../platform/errors.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { endsRequest, itemErrors, toApiError } from '../../../platform/http/error-response.ts'
import { limitLines } from '../../../platform/http/line-limit.ts'
import { takeTurns } from '../../../platform/kit/take-turns.ts'
import type { CreditedSale } from '../give-back/credited-sales.ts'
import { creditedSaleOf, loadCredited } from '../give-back/credited-sales-store.ts'
import { type Draft, draftTransaction } from './draft.ts'
import { withOwnProducts } from './own-products.ts'
import { commitDrafts, presentDraft } from './record.ts'
import type { TransactionBatchAnswer } from '../sale/answers.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import { checkTransaction } from '../sale/check-request.ts'
import type { TransactionInput } from '../sale/schemas.ts'
import { findTakenExternalIds } from '../sale/store.ts'

/** Another request can take an external id between our read and our write, so we try again. */
const TRIES = 5

/** After so many sales, other requests go on. */
const SALES_OF_TURN = 2

const ALONE = 'is not possible in a batch: record the final sale by itself'

type DraftOrError = Draft | ApiError
type BodyOrError = TransactionInput | ApiError

/**
 * Records up to 50 sales. One that fails does not affect the others. Three round trips to the database at
 * most, unless external ids are taken.
 */
export async function recordTransactions(
  context: Context,
  transactions: readonly unknown[],
): Promise<Answer<typeof TransactionBatchAnswer>> {
  limitLines('transactions', transactions)
  const bodies = await readAll(context, transactions)
  return readAgainOnChange(() => recordOnce(context, bodies))
}

async function recordOnce(
  context: Context,
  bodies: readonly BodyOrError[],
): Promise<Answer<typeof TransactionBatchAnswer>> {
  let outcomes = refuseRepeatedIds(await draftAll(context, bodies))
  for (let tries = 1; ; tries += 1) {
    const answer = await presentOutcomes(outcomes)
    try {
      await commitDrafts(context, outcomes.filter(isDraft), answer)
      return answer
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason !== 'external_id_taken' || tries === TRIES)
        throw thrown
      outcomes = refuseTaken(
        outcomes,
        await findTakenExternalIds(context, outcomes.filter(isDraft).map(externalIdOf)),
      )
    }
  }
}

/** Validates the sales, and reads their product codes. */
async function readAll(context: Context, transactions: readonly unknown[]): Promise<BodyOrError[]> {
  const bodies: BodyOrError[] = []
  for (const [index, transaction] of transactions.entries()) {
    bodies.push(await valueOrError(async () => withOwnProducts(context, await checkTransaction(transaction))))
    await endTurn(index)
  }
  return bodies
}

async function draftAll(context: Context, bodies: readonly BodyOrError[]): Promise<DraftOrError[]> {
  const ids = bodies.flatMap((body) =>
    body instanceof ApiError || !body.customer_id ? [] : [body.customer_id],
  )
  const [book, customers, credited] = await Promise.all([
    bookFor(context),
    loadCustomers(context, ids),
    loadCredited(
      context,
      bodies.flatMap((body) => (body instanceof ApiError ? [] : [body])),
    ),
  ])
  const known = [...credited]
  const draft = async (body: BodyOrError): Promise<DraftOrError> => {
    if (body instanceof ApiError) return body
    return valueOrError(async () => {
      if (body.settles !== undefined) throw fieldError('invalid_request', 'settles', ALONE)
      const customer = customerOf(body, customers)
      const drafted = await draftTransaction(context, book, body, customer, {
        credited: creditedSaleOf(body, known),
      })
      addToCredited(known, drafted)
      return drafted
    })
  }
  // A credit note may come before its sale in the same batch.
  const isNote = (body: BodyOrError) => !(body instanceof ApiError) && !!body.credit_note_for
  const drafts: DraftOrError[] = []
  const notesLast = [...bodies.entries()].toSorted(([, one], [, other]) => +isNote(one) - +isNote(other))
  for (const [turn, [index, body]] of notesLast.entries()) {
    drafts[index] = await draft(body)
    await endTurn(turn)
  }
  return drafts
}

/** After every few sales, lets other requests go on. `index`: of the sale that is done. */
async function endTurn(index: number): Promise<void> {
  if (index % SALES_OF_TURN === SALES_OF_TURN - 1) await takeTurns()
}

/** A drafted sale can be credited, and a drafted credit note lessens what is left of its sale. */
function addToCredited(known: CreditedSale[], { row, lines }: Draft): void {
  const index = known.findIndex((sale) => sale.row.id === row.credited_sale)
  const sale = known[index]
  if (sale !== undefined) {
    const credits = JSON.stringify(readSaleContext(row.facts).credits ?? [])
    known[index] = { ...sale, notes: [...sale.notes, { ...row, credits }] }
  } else if (row.credited_day === null) known.push({ row, lines, refunds: [], notes: [], settlements: [] })
}

/**
 * Returns an error that the caller can correct, as the result of the item. Any other error ends the request.
 */
async function valueOrError<T>(work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work()
  } catch (thrown) {
    const error = toApiError(thrown)
    if (endsRequest(error)) throw thrown
    return error
  }
}

/** Of items with the same external id, only the first is recorded. */
function refuseRepeatedIds(outcomes: readonly DraftOrError[]): DraftOrError[] {
  const seen = new Set<string>()
  return outcomes.map((outcome) => {
    const external_id = isDraft(outcome) ? outcome.row.external_id : null
    if (external_id === null) return outcome
    if (seen.has(external_id)) return takenError()
    seen.add(external_id)
    return outcome
  })
}

function refuseTaken(outcomes: readonly DraftOrError[], external_ids: ReadonlySet<string>): DraftOrError[] {
  return outcomes.map((outcome) =>
    isDraft(outcome) && external_ids.has(externalIdOf(outcome)) ? takenError() : outcome,
  )
}

async function presentOutcomes(
  outcomes: readonly DraftOrError[],
): Promise<Answer<typeof TransactionBatchAnswer>> {
  const succeeded = outcomes.filter(isDraft).length
  const errorOf = itemErrors()
  const results = []
  for (const [index, outcome] of outcomes.entries()) {
    results.push(
      isDraft(outcome)
        ? { index, success: true, data: await presentDraft(outcome) }
        : { index, success: false, error: errorOf(outcome) },
    )
    await endTurn(index)
  }
  return {
    results,
    summary: { total: outcomes.length, succeeded, failed: outcomes.length - succeeded },
  }
}

function externalIdOf(draft: Draft): string {
  return draft.row.external_id ?? ''
}

function isDraft(outcome: DraftOrError): outcome is Draft {
  return !(outcome instanceof ApiError)
}

function takenError(): ApiError {
  return externalIdTaken('transactions')
}
