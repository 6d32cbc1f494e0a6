import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { at } from '../../engine/ground/invariant.ts'
import { obligationIdOf, placeOfRegistration, readObligationId } from '../due/due-returns.ts'
import { doneOf, formOfDue, type Obliged, obligedOf } from '../due/filed.ts'
import { presentObligations, readObligations } from './list.ts'
import type { Obligations } from '../due/open-returns.ts'
import { earliestUnfiled } from '../due/order.ts'
import type { ObligationAnswer, ObligationBody } from './schemas.ts'
import { deleteMark, type Mark, type MarkRow, readSalesOfMarks, replaceMark } from '../due/store.ts'

/**
 * Sets an obligation aside with a reason, or keeps that a statement was filed, or takes that back. Asked
 * twice, the second one changes nothing. Told again after a late sale, it counts again. Throws not_found,
 * invalid_request, and period_already_filed if the tax office has the return.
 */
export async function decideObligation(
  context: Context,
  id: string,
  body: ObligationBody,
): Promise<Answer<typeof ObligationAnswer>> {
  return readAgainOnChange(async () => {
    const today = dayIn(context.principal.time_zone, context.now)
    const read = await readAround(context, id)
    const found = obligationOf(read, id)
    const asked = askedOf(body)
    refuseImpossible(found, asked, today)
    const before = read.marks.find(({ obligation_id }) => obligation_id === id) ?? null
    const next = afterAsked(body, before)
    const same = isSame(before, next)
    const after = same ? before : markOf(context, found, before, next)
    // Before the figures of the answer: a sale after them is not covered by the decision.
    const [sold = ''] = await readSalesOfMarks(context, same || after === null ? [] : [after])
    const marks = [...read.marks.filter((each) => each !== before), ...(after === null ? [] : [after])]
    const marked = obligedOf(found.due, doneOf(read.filed, marks), today)
    const { due_date } = found.due
    // As the list has it, which begins with the books.
    const { obligations } = await readObligations(context, null, due_date > today ? due_date : today)
    const answer = at(await presentObligations(context, [marked], earliestUnfiled(obligations)), 0)
    const action = `obligation.${next === null ? 'taken_back' : next.state}`
    const values = await valuesOf(toldOf(before), toldOf(after))
    await commit(context, {
      changes: same ? [] : changesOf(context, before, after, sold),
      audit: same ? [] : { action, resource_id: id, changed: Object.keys(values), values },
      answer,
    })
    return answer
  })
}

/** What a caller decides; null: nothing is decided any more. */
type DecidedObligation = Pick<MarkRow, 'state' | 'reason' | 'day' | 'number'> | null

function askedOf({ set_aside = null, filed = null }: ObligationBody): DecidedObligation {
  if (set_aside !== null) return { state: 'set_aside', reason: set_aside, day: null, number: null }
  if (filed === null) return null
  return { state: 'filed', reason: null, day: filed.day, number: filed.number ?? null }
}

/** Null takes back what it names alone. */
function afterAsked(body: ObligationBody, before: MarkRow | null): DecidedObligation {
  const asked = askedOf(body)
  const named = body.set_aside === undefined ? 'filed' : 'set_aside'
  return asked === null && before !== null && before.state !== named ? before : asked
}

function isSame(before: MarkRow | null, next: DecidedObligation): boolean {
  if (before === null || next === null) return before === next
  const { state, reason, day, number } = next
  return (
    before === next ||
    (before.late === 0 &&
      before.state === state &&
      before.reason === reason &&
      before.day === day &&
      before.number === number)
  )
}

function refuseImpossible({ due, status }: Obliged, asked: DecidedObligation, today: string): void {
  if (asked === null) return
  if (asked.state === 'filed') {
    if (due.document === 'return')
      throw fieldError('invalid_request', 'filed', 'is for statements: file a return with POST /v1/returns')
    const day = asked.day ?? today
    if (day > today) throw fieldError('invalid_request', 'filed.day', 'must not be in the future')
    if (day <= due.to_date)
      throw fieldError('invalid_request', 'filed.day', `must be after ${due.to_date}, the end of the period`)
  } else if (status === 'filed')
    throw new ApiError('period_already_filed', {
      message: `${due.period} is filed: only what is not filed can be set aside`,
    })
}

/** The obligations of the years in which that of an id can be due. Throws not_found. */
async function readAround(context: Context, id: string): Promise<Obligations> {
  const named = readObligationId(id)
  // The years around it have four digits too.
  if (named === null || named.year < 1 || named.year > 9_997) throw new ApiError('not_found')
  // A period ends in the year of its name or the next one, and is due within four months.
  const year = (more: number) => String(named.year + more).padStart(4, '0')
  return readObligations(context, `${year(-1)}-01-01`, `${year(2)}-12-31`)
}

function obligationOf({ obligations }: Obligations, id: string): Obliged {
  const found = obligations.find(({ due }) => obligationIdOf(due) === id)
  if (found === undefined) throw new ApiError('not_found')
  return found
}

function markOf(
  context: Context,
  obliged: Obliged,
  before: Mark | null,
  decided: DecidedObligation,
): Mark | null {
  return decided === null ? null : decidedMark(context, obliged, decided, before)
}

/** What is decided of an obligation, as it is kept. `before` is what was kept until now. */
export function decidedMark(
  context: Context,
  { due }: Pick<Obliged, 'due'>,
  { state, reason, day, number }: NonNullable<DecidedObligation>,
  before: Mark | null = null,
): Mark {
  const { account_id, key_id } = context.principal
  const now = context.now.toISOString()
  return {
    account_id,
    obligation_id: obligationIdOf(due),
    ...formOfDue(due),
    place: placeOfRegistration(due.registration),
    from_date: due.from_date,
    to_date: due.to_date,
    state,
    reason,
    day,
    number,
    late: 0,
    marked_at: before === null ? now : changedAt(context.now, before.marked_at),
    marked_by: key_id,
  }
}

function changesOf(
  context: Context,
  before: MarkRow | null,
  after: MarkRow | null,
  sold: string,
): D1PreparedStatement[] {
  if (after !== null) return replaceMark(context, before, after, sold)
  return before === null ? [] : deleteMark(context, before)
}

/** The fields that the audit log tells. */
function toldOf(mark: MarkRow | null) {
  if (mark === null) return null
  const { state, reason, day, number, late } = mark
  return { state, reason, day, number, late }
}
