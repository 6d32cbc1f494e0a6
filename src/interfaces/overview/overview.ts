import { getAccount } from '../../parties/accounts/profile.ts'
import { daysAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { pageOfAllExemptions } from '../../parties/customers/all-exemptions.ts'
import { endingExemptions } from '../../parties/customers/ending-exemptions.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { errorBody, toApiError } from '../../platform/http/error-response.ts'
import { allows, type Scope } from '../../platform/database/values/scopes.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { showNexus } from '../../sales/nexus/nexus.ts'
import type { NexusStatus } from '../../sales/nexus/schemas.ts'
import { DUE_DAYS_AHEAD } from '../../returns/obligations/days-of-work.ts'
import { isOpen } from '../../returns/due/filed.ts'
import { countsOf, presentWith, readNamesOfMarks, readObligations } from '../../returns/obligations/list.ts'
import { readTaxSoFar } from '../../returns/obligations/so-far.ts'
import { earliestUnfiled } from '../../returns/due/order.ts'
import { mattersOfObligations } from '../account-routes.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { pageOfTransactions } from '../../sales/transactions/read/list.ts'
import { listTroubledWebhooks } from '../../notices/subscriptions/webhooks.ts'
import type {
  MissingPart,
  OverviewAnswer,
  OverviewCertificates,
  OverviewExamples,
  OverviewNexus,
  OverviewPart,
  OverviewQuery,
  OverviewReturns,
  SetupStep,
} from './schemas.ts'
import { taxByMonth } from './tax-by-month.ts'
import { hasExamples } from '../example-books/example-books.ts'

/** The most rows of a list in the answer. The counts beside it are of all. */
const LISTED_MAX = 100

/** The most returns whose tax is added up: imported books can have thousands of overdue ones. */
const ADDED_UP_MAX = 300

const SALES_SHOWN = 5

/** The scope of the route that shows the same. */
const SCOPE_OF: Readonly<Record<OverviewPart, Scope>> = {
  account: 'registrations:read',
  returns: 'reports:read',
  nexus: 'reports:read',
  certificates: 'customers:read',
  webhooks: 'webhooks:read',
  tax_by_month: 'reports:read',
  transactions: 'transactions:read',
}

/**
 * What somebody who opens the console wants to know first. Each figure comes from the function of the route
 * that shows it alone, so both always agree. A part that the key may not read, or that fails, is null, and
 * `missing` says why: one failure does not hide the rest.
 */
export async function showOverview(
  context: Context,
  { months = 12 }: OverviewQuery,
): Promise<Answer<typeof OverviewAnswer>> {
  const today = dayIn(context.principal.time_zone, context.now)
  const book = await bookFor(context)
  const missing: Answer<typeof MissingPart>[] = []
  const part = <Value>(name: OverviewPart, read: () => Promise<Value>) =>
    readPart(context, name, read, missing)
  const [account, returns, nexus, certificates, webhooks, tax_by_month, transactions] = await Promise.all([
    part('account', () => getAccount(context, mattersOfObligations)),
    part('returns', () => readReturns(context, today)),
    part('nexus', () => readNexus(context)),
    part('certificates', () => readCertificates(context)),
    part('webhooks', () => listTroubledWebhooks(context, LISTED_MAX)),
    part('tax_by_month', () => taxByMonth(context, book, today, months)),
    part(
      'transactions',
      async () =>
        (await pageOfTransactions(context, { limit: SALES_SHOWN, of_other_seller: 'false' })).transactions,
    ),
  ])
  const shown = { account, returns, nexus, certificates, webhooks, tax_by_month, transactions }
  return {
    as_of: today,
    ...shown,
    currency: book.jurisdictions.get(context.principal.seller?.country ?? '')?.currency ?? null,
    setup: setupOf(context, shown),
    example_books: await examplesOf(context),
    names: namesOf(book, shown),
    missing: missing.toSorted((one, other) => (one.part < other.part ? -1 : 1)),
  }
}

async function readPart<Value>(
  { principal, request_id }: Context,
  part: OverviewPart,
  read: () => Promise<Value>,
  missing: Answer<typeof MissingPart>[],
): Promise<Value | null> {
  const scope = SCOPE_OF[part]
  if (!allows(principal.scopes, scope)) {
    missing.push({ part, reason: 'missing_scope', message: `The API key lacks the scope ${scope}` })
    return null
  }
  try {
    return await read()
  } catch (thrown) {
    const { reason, message } = errorBody(toApiError(thrown), request_id)
    logFault({ request_id, account_id: principal.account_id, part }, thrown)
    missing.push({ part, reason, message })
    return null
  }
}

async function readReturns(context: Context, today: string): Promise<Answer<typeof OverviewReturns>> {
  const to = daysAfter(today, DUE_DAYS_AHEAD)
  const { obligations, from } = await readObligations(context, null, to)
  const { overdue, due, open } = countsOf(obligations)
  const unfiled = obligations.filter(isOpen)
  const added_up = new Set(unfiled.filter(({ status }) => status !== 'open').slice(0, ADDED_UP_MAX))
  const wanted = unfiled.filter((each, index) => index < LISTED_MAX || added_up.has(each))
  const soFar = await readTaxSoFar(
    context,
    wanted.map((each) => each.due),
  )
  const earlier = earliestUnfiled(obligations)
  // Beyond the first 100, a return that has to be computed as a whole is not added up.
  const taxes = [...added_up].map(({ due: each }) => soFar(each)).filter((tax) => tax !== null)
  const sums = new Map<string, number>()
  for (const { currency, tax_amount } of taxes.flat())
    sums.set(currency, (sums.get(currency) ?? 0) + tax_amount)
  const first = wanted.slice(0, LISTED_MAX)
  const names = await readNamesOfMarks(context, first)
  return {
    overdue,
    due,
    open,
    to_file: [...sums].map(([currency, tax_amount]) => ({ currency, tax_amount })),
    to_file_of: taxes.length,
    first: first.map((each) => presentWith(each, { so_far: soFar(each.due) ?? [], names, earlier })),
    from,
    to,
  }
}

/** Places without a registration whose threshold is passed or near, now or from the next year on. */
async function readNexus(context: Context): Promise<Answer<typeof OverviewNexus>> {
  const { jurisdictions } = await showNexus(context)
  const near = jurisdictions.filter(
    ({ status, registered, nexus_kind, next_period }) =>
      !registered &&
      (nexus_kind !== null || isNear(status) || (next_period !== null && isNear(next_period.status))),
  )
  const exceeded = near.filter(({ nexus_kind }) => nexus_kind !== null).length
  return { exceeded, approaching: near.length - exceeded, first: near.slice(0, LISTED_MAX) }
}

/** A status that depends on an unknown turnover is no alarm. */
function isNear(status: NexusStatus): boolean {
  return status === 'approaching' || status === 'exceeded'
}

async function readCertificates(context: Context): Promise<Answer<typeof OverviewCertificates>> {
  const filter = { status: 'pending', limit: LISTED_MAX } as const
  const [{ exemptions, has_more }, ending] = await Promise.all([
    pageOfAllExemptions(context, filter),
    endingExemptions(context),
  ])
  return { pending: exemptions.length, has_more, first: exemptions, ...ending }
}

type NamedParts = Pick<Answer<typeof OverviewAnswer>, 'returns' | 'certificates' | 'transactions'>

function namesOf(
  book: RateBook,
  { returns, certificates, transactions }: NamedParts,
): Record<string, string> {
  const ids = [...(returns?.first ?? []), ...(certificates?.first ?? []), ...(transactions ?? [])].map(
    ({ jurisdiction_id }) => jurisdiction_id,
  )
  return Object.fromEntries(
    [...new Set(ids)].flatMap((id) => {
      const name = id === null ? undefined : book.jurisdictions.get(id)?.name
      return id === null || name === undefined ? [] : [[id, name]]
    }),
  )
}

/** Whether the key may fill the account with example books, and whether they are there. */
async function examplesOf(context: Context): Promise<Answer<typeof OverviewExamples>> {
  const { sandbox, scopes } = context.principal
  const possible = sandbox && allows(scopes, '*')
  if (!possible) return { possible, there: false }
  try {
    return { possible, there: await hasExamples(context) }
  } catch (thrown) {
    // Nothing is offered that may not work, and the rest of the overview stands.
    logFault({ account_id: context.principal.account_id, step: 'look for example books' }, thrown)
    return { possible: false, there: false }
  }
}

/** The steps that make an account useful, and which of them are done; null: the key may not read it. */
function setupOf(
  { principal }: Context,
  { webhooks, transactions }: Pick<Answer<typeof OverviewAnswer>, 'webhooks' | 'transactions'>,
): Answer<typeof SetupStep>[] {
  return [
    { step: 'profile', done: principal.seller !== null },
    { step: 'registration', done: principal.registrations.length > 0 },
    { step: 'first_sale', done: transactions === null ? null : transactions.length > 0 },
    { step: 'webhook', done: webhooks === null ? null : webhooks.total > 0 },
  ]
}
