import { forgetPrincipals } from '../../parties/accounts/authenticate.ts'
import { daysAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { blankCustomer } from '../../parties/customers/create.ts'
import { changeCustomer } from '../../parties/customers/customer.ts'
import { eraseCustomer, insertCustomer } from '../../parties/customers/store.ts'
import { NO_DOCUMENT, type StoredExemption } from '../../parties/exemptions/exemption.ts'
import { insertExemption } from '../../parties/exemptions/store.ts'
import { commit } from '../../platform/writes/commit.ts'
import { joinWrites, type PartOfWrite } from '../../platform/writes/join-writes.ts'
import { readAgainOnChange } from '../../platform/database/read-again.ts'
import { withinCount } from '../../platform/writes/usage.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { at } from '../../engine/ground/invariant.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { type Draft, draftTransaction } from '../../sales/transactions/record/draft.ts'
import { withOwnProducts } from '../../sales/transactions/record/own-products.ts'
import { writeOfDrafts } from '../../sales/transactions/record/record.ts'
import { writeOfRefund } from '../../sales/transactions/give-back/refund.ts'
import { checkTransaction } from '../../sales/transactions/sale/check-request.ts'
import { encryptSecret, newSecret } from '../../notices/delivery/secrets.ts'
import { insertWebhook, removeWebhook } from '../../notices/subscriptions/store.ts'
import { newWebhookRow } from '../../notices/subscriptions/webhooks.ts'
import { type ExampleIds, exampleIdsOf } from './example-ids.ts'
import {
  customerOfSale,
  EXAMPLE_CUSTOMERS,
  exampleCertificate,
  exampleRefund,
  exampleSale,
} from './example-sales.ts'
import { addRegistrations, removeRegistrations } from './registrations.ts'
import type { ExampleBooksAdded, ExampleBooksRemoved } from './schemas.ts'
import {
  hasExampleCustomer,
  letWebhookFail,
  readStoredExamples,
  removeExampleSales,
  removeMarks,
  requireEmptyBooks,
} from './store.ts'
import { addStory, FILED_BEFORE, reopenStory } from './story.ts'

/** The registrations begin before the first sale. */
const DAYS_REGISTERED = 400

/** Whether the example books are in the account. */
export async function hasExamples(context: Context): Promise<boolean> {
  return hasExampleCustomer(context, await exampleIdsOf(context.principal.account_id))
}

/**
 * Fills an empty account for tests with a year of books. All sales are one batch, so a request that is killed
 * has added all or none. Registrations are in another database, and returns need them: the next request adds
 * what is missing. Throws sandbox_only, books_not_empty.
 */
export async function createExampleBooks(context: Context): Promise<Answer<typeof ExampleBooksAdded>> {
  refuseLive(context)
  const ids = await exampleIdsOf(context.principal.account_id)
  const today = dayIn(context.principal.time_zone, context.now)
  const already_there = await hasExampleCustomer(context, ids)
  const added = already_there ? NOTHING : await addBooks(context, ids, today)
  const registrations = await addRegistrations(context, ids, daysAfter(today, -DAYS_REGISTERED))
  await addStory(context, ids)
  forgetPrincipals(context.principal.account_id)
  return { ...added, registrations, already_there }
}

const NOTHING = { transactions: 0, refunds: 0, customers: 0 }

type Added = typeof NOTHING

async function addBooks(context: Context, ids: ExampleIds, today: string): Promise<Added> {
  const drafts = await draftExamples(context, ids, today)
  const refunds = await refundsOf(context, drafts, today)
  const now = context.now.toISOString()
  const customers = EXAMPLE_CUSTOMERS.flatMap((body, number) =>
    insertCustomer(context, changeCustomer(blankCustomer(at(ids.customers, number), now), body)),
  )
  const stores = { customers: EXAMPLE_CUSTOMERS.length, exemptions: ids.exemptions.length }
  const others = [
    insertExemption(context, at(ids.customers, EXAMPLE_CUSTOMERS.length - 1), certificateOf(ids, today, now)),
    ...(await addWebhook(context, at(ids.webhooks, 0))),
  ]
  const written = joinWrites([
    { changes: [...customers, ...others], audit: [], events: [], stores },
    writeOfDrafts(context, drafts, 1),
    ...refunds,
  ])
  const answer: Added = {
    transactions: drafts.length,
    refunds: refunds.length,
    customers: EXAMPLE_CUSTOMERS.length,
  }
  try {
    await commit(context, {
      changes: [requireEmptyBooks(context), ...written.changes],
      stores: written.stores,
      audit: { action: 'example_books.added', resource_id: context.principal.account_id, changed: [] },
      answer: { ...answer, registrations: ids.registrations.length, already_there: false },
    })
    return answer
  } catch (thrown) {
    // Another request added them meanwhile.
    const added = thrown instanceof ApiError && thrown.reason === 'books_not_empty'
    if (added && (await hasExampleCustomer(context, ids))) return NOTHING
    throw thrown
  }
}

function certificateOf(ids: ExampleIds, today: string, now: string): StoredExemption {
  return {
    id: at(ids.exemptions, 0),
    ...exampleCertificate(today),
    certificate_url: null,
    status: 'verified',
    verification_notes: null,
    created_at: now,
    updated_at: now,
    reason_code: null,
    ended_on: null,
    ...NO_DOCUMENT,
  }
}

/** A webhook that fails. Nobody answers at the address, which is for examples. */
async function addWebhook(context: Context, id: string): Promise<D1PreparedStatement[]> {
  const row = newWebhookRow(context, id, {
    url: 'https://hooks.example.com/tax',
    events: ['return.due', 'threshold.approaching'],
    description: 'Bookkeeping',
    secret: await encryptSecret(context.env, id, newSecret()),
    challenge_id: null,
  })
  return [insertWebhook(context, row), withinCount(context, 'webhooks'), letWebhookFail(context, id)]
}

async function draftExamples(context: Context, ids: ExampleIds, today: string): Promise<Draft[]> {
  const book = await bookFor(context)
  // The registrations of the examples come later. Those of the account would make these of another seller.
  const own = { ...context, principal: { ...context.principal, seller: null, registrations: [] } }
  const drafts: Draft[] = []
  for (const [number, id] of ids.sales.entries()) {
    const body = await withOwnProducts(context, await checkTransaction(exampleSale(number, today)))
    const draft = await draftTransaction(own, book, body, null)
    const customer_id = at(ids.customers, customerOfSale(number))
    drafts.push({
      ...draft,
      row: { ...draft.row, id, customer_id },
      lines: draft.lines.map((line) => ({ ...line, transaction_id: id })),
    })
  }
  return drafts
}

async function refundsOf(context: Context, drafts: readonly Draft[], today: string): Promise<PartOfWrite[]> {
  const writes: PartOfWrite[] = []
  for (const [number, { row, lines }] of drafts.entries()) {
    const body = exampleRefund(number, row.total, today)
    if (body === null) continue
    writes.push((await writeOfRefund(context, { row, lines, refunds: [] }, body)).write)
  }
  return writes
}

/**
 * Removes the example books with all their refunds, and nothing else. The return that they filed is opened
 * again, and stays as history. Throws sandbox_only,
 * period_already_filed, transaction_not_replaceable.
 */
export async function deleteExampleBooks(context: Context): Promise<Answer<typeof ExampleBooksRemoved>> {
  refuseLive(context)
  const ids = await exampleIdsOf(context.principal.account_id)
  await reopenStory(context, ids)
  const removed = await readAgainOnChange(() => removeBooks(context, ids))
  const { count, kept } = await removeRegistrations(context, ids)
  forgetPrincipals(context.principal.account_id)
  return { ...removed, registrations: count, kept_registrations: kept }
}

async function removeBooks(context: Context, ids: ExampleIds): Promise<Added> {
  const stored = await readStoredExamples(context, ids)
  const { sales, lines, refunds, customers } = stored
  const answer = { transactions: sales, refunds, customers: customers.length }
  if (sales === 0 && customers.length === 0) return answer
  await commit(context, {
    changes: [
      ...removeExampleSales(context, ids, stored),
      removeMarks(context, FILED_BEFORE),
      ...ids.webhooks.flatMap((id) => {
        const { deliveries, webhook } = removeWebhook(context, id)
        return [...deliveries, webhook]
      }),
      ...customers.flatMap((id) => {
        const { belongings, customer } = eraseCustomer(context, id)
        return [...belongings, customer]
      }),
    ],
    stores: { transaction_lines: -lines, refunds: -refunds, customers: -customers.length },
    audit: { action: 'example_books.removed', resource_id: context.principal.account_id, changed: [] },
    answer,
  })
  return answer
}

function refuseLive({ principal }: Context): void {
  if (!principal.sandbox) throw new ApiError('sandbox_only')
}
