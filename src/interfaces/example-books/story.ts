import { at } from '../../engine/ground/invariant.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { ApiError } from '../../platform/errors.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { decidedMark } from '../../returns/obligations/decide.ts'
import { jurisdictionOfReturn, type Obliged } from '../../returns/due/filed.ts'
import { obligedAccountOf, readAllObligations } from '../../returns/due/open-returns.ts'
import { readSalesOfMarks, replaceMark } from '../../returns/due/store.ts'
import { freezeReturn } from '../../returns/kept/freeze.ts'
import { reopenReturn } from '../../returns/kept/reopen.ts'
import type { ExampleIds } from './example-ids.ts'
import { EXAMPLE_COUNTRY, EXAMPLE_STATE } from './example-sales.ts'
import { readExampleReturns, refuseTiedExamples } from './store.ts'

/** How the rows of the story are found again. */
export const FILED_BEFORE = 'Filed with the software that was used before'
const EXAMPLE_NUMBER = 'EXAMPLE-1'

/**
 * Brings the returns of the example books to a point that shows each state: the latest overdue return of a
 * state is filed, that of another place is late, and all earlier ones were filed elsewhere. The state has a
 * return that is due on every day. What is there already stays.
 */
export async function addStory(context: Context, ids: ExampleIds): Promise<void> {
  const alone = { ...context, idempotency: null }
  const today = dayIn(context.principal.time_zone, context.now)
  // The country of the account was perhaps given a moment ago.
  const of_caller = obligedAccountOf(context)
  const account = { ...of_caller, country: of_caller.country ?? EXAMPLE_COUNTRY }
  const { obligations, marks, filed } = await readAllObligations(account, null, today)
  const overdue = obligations.filter(
    ({ status, due }) => status === 'overdue' && ids.registrations.includes(due.registration.id),
  )
  const returns = overdue.filter(({ due }) => due.document === 'return')
  const isOfState = ({ due }: Obliged) => due.registration.jurisdiction_id === EXAMPLE_STATE
  const to_file = returns.findLast(isOfState)
  const late = returns.findLast((each) => !isOfState(each))
  const earlier = overdue.filter((each) => each !== to_file && each !== late)
  await unlessDone(async () => {
    if (marks.length === 0) await setAside(alone, earlier)
    if (filed.length === 0 && to_file !== undefined) await file(alone, to_file)
  })
}

/** What a change fails with if another request made it a moment ago, or if it needs a second person. */
const DONE = ['concurrent_change', 'period_already_filed', 'return_not_filed', 'review_required']

async function unlessDone(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || !DONE.includes(thrown.reason)) throw thrown
  }
}

async function setAside(context: Context, earlier: readonly Obliged[]): Promise<void> {
  const decided = { state: 'set_aside', reason: FILED_BEFORE, day: null, number: null } as const
  const marks = earlier.map((each) => decidedMark(context, each, decided))
  const sold = await readSalesOfMarks(context, marks)
  await commit(context, {
    changes: marks.flatMap((mark, index) => replaceMark(context, null, mark, at(sold, index))),
    audit: [],
    answer: {},
  })
}

async function file(context: Context, { due }: Obliged): Promise<void> {
  const { place, period, last_date } = due
  const jurisdiction_id = jurisdictionOfReturn(due)
  if (place.return_type === null || jurisdiction_id === null) return
  const submission = { state: 'filed', number: EXAMPLE_NUMBER, day: last_date } as const
  await freezeReturn(context, { type: place.return_type, period, jurisdiction_id, submission })
}

/**
 * Opens the filed return of the example books again, so that its sales can be removed. Its versions stay. A
 * removal that would be refused opens nothing. Throws period_already_filed, transaction_not_replaceable.
 */
export async function reopenStory(context: Context, ids: ExampleIds): Promise<void> {
  await refuseTiedExamples(context, ids, EXAMPLE_NUMBER)
  for (const id of await readExampleReturns(context, EXAMPLE_NUMBER))
    await unlessDone(() =>
      reopenReturn({ ...context, idempotency: null }, id, 'The example books are removed'),
    )
}
