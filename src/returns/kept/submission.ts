import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { changedFields, commit } from '../../platform/database/commit.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { presentFiled } from './present-filed.ts'
import { findReturn } from './reopen.ts'
import type { ReturnRow } from './returns-store.ts'
import type { ReturnAnswer, SubmissionBody } from './schemas.ts'
import { readSubmissions, replaceSubmission, type SubmissionRow } from './submissions-store.ts'

/**
 * Keeps what became of a return at the tax office. Fields that are left out stay. Asked twice, the second one
 * changes nothing. Throws not_found, and invalid_request for days that cannot be.
 */
export async function submitReturn(
  context: Context,
  id: string,
  body: SubmissionBody,
): Promise<Answer<typeof ReturnAnswer>> {
  return readAgainOnChange(async () => {
    const row = await findReturn(context, id)
    const before = (await readSubmissions(context, [id])).get(id) ?? null
    const asked = submissionRow(context, row, body, before)
    const same = before !== null && changedFields(before, asked).length === 0
    const after = same ? before : asked
    const answer = presentFiled(row, after)
    const values = await valuesOf(before, after)
    await commit(context, {
      changes: same ? [] : replaceSubmission(context, before, after),
      audit: same
        ? []
        : { action: 'return.submission_kept', resource_id: id, changed: Object.keys(values), values },
      answer,
    })
    return answer
  })
}

type Told = Pick<SubmissionRow, 'state' | 'number' | 'day' | 'paid_at' | 'payment' | 'interest' | 'note'>

/** The row of a submission as the caller tells it. Throws invalid_request for days that cannot be. */
export function submissionRow(
  context: Context,
  { id, to_date }: Pick<ReturnRow, 'id' | 'to_date'>,
  body: SubmissionBody,
  before: SubmissionRow | null,
): SubmissionRow {
  // A return without a submission was filed when it was kept.
  const state = body.state ?? before?.state ?? 'filed'
  refuseEarly(body, state)
  const told = toldOf(body, state, before)
  refuseImpossible(told, to_date, dayIn(context.principal.time_zone, context.now))
  const now = context.now.toISOString()
  const reviewed = state === 'reviewed' && (before === null || before.reviewed_at === null)
  return {
    return_id: id,
    ...told,
    ...(reviewed
      ? { reviewed_at: now, reviewed_by: context.principal.key_id }
      : {
          reviewed_at: state === 'open' ? null : (before?.reviewed_at ?? null),
          reviewed_by: state === 'open' ? null : (before?.reviewed_by ?? null),
        }),
    updated_at: before === null ? now : changedAt(context.now, before.updated_at),
  }
}

/** The fields that only a filed return has, and only a paid one. */
const WHEN_FILED = ['number', 'day'] as const
const WHEN_PAID = ['paid_at', 'payment', 'interest'] as const

/** The fields that do not go with a state. */
function earlyFor(
  state: Told['state'],
): readonly ((typeof WHEN_FILED)[number] | (typeof WHEN_PAID)[number])[] {
  if (state === 'paid') return []
  return state === 'filed' ? WHEN_PAID : [...WHEN_FILED, ...WHEN_PAID]
}

function refuseEarly(body: SubmissionBody, state: Told['state']): void {
  const early = earlyFor(state).find((name) => isGiven(body[name]))
  if (early !== undefined) throw fieldError('invalid_request', early, `does not go with the state ${state}`)
}

/** What is kept: what is given, else what was kept before, as far as it goes with the state. */
function toldOf(body: SubmissionBody, state: Told['state'], before: SubmissionRow | null): Told {
  const early: ReadonlySet<string> = new Set(earlyFor(state))
  const kept = <Name extends keyof Told>(name: Name, given: Told[Name] | null | undefined) =>
    given === undefined && !early.has(name) ? (before?.[name] ?? null) : (given ?? null)
  return {
    state,
    number: kept('number', body.number),
    day: kept('day', body.day),
    paid_at: kept('paid_at', body.paid_at),
    payment: kept('payment', body.payment),
    interest: kept('interest', body.interest),
    note: kept('note', body.note),
  }
}

function refuseImpossible(told: Told, to_date: string, today: string): void {
  const paid = told.state === 'paid'
  if (paid || told.state === 'filed') requireField(told, 'day', 'the day on which the return was filed')
  if (paid) requireField(told, 'paid_at', 'the day on which the tax was paid')
  if (paid) requireField(told, 'payment', 'what was paid, in minor units')
  for (const name of ['day', 'paid_at'] as const)
    if ((told[name] ?? today) > today) throw fieldError('invalid_request', name, 'must not be in the future')
  if ((told.day ?? to_date) < to_date)
    throw fieldError('invalid_request', 'day', `must not be before ${to_date}, the end of the period`)
}

function requireField(told: Told, name: 'day' | 'paid_at' | 'payment', what: string): void {
  if (!isGiven(told[name])) throw fieldError('invalid_request', name, `is required: ${what}`)
}

function isGiven(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined
}
