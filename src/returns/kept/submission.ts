import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { changedFields, commit } from '../../platform/writes/commit.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { type Actor, mayBeOnePerson, readFilingRule } from '../../parties/accounts/actor-store.ts'
import { isFiled, peopleToCompare, refuseUnreviewed, reviewerOf } from './four-eyes.ts'
import { presentFiled } from './present-filed.ts'
import { findReturn } from '../archive/find-return.ts'
import type { ReturnRow } from '../archive/returns-store.ts'
import type { ReturnAnswer, SubmissionBody } from './schemas.ts'
import { readSubmissions, replaceSubmission, type SubmissionRow } from '../archive/submissions-store.ts'
import { toldOfReturn } from './told-of-returns.ts'

/**
 * Keeps what became of a return at the tax office. Fields that are left out stay. Asked twice, the second one
 * changes nothing. Throws not_found, invalid_request for days that cannot be, and review_required and
 * second_person_required in an account with four_eyes.
 */
export async function submitReturn(
  context: Context,
  id: string,
  body: SubmissionBody,
): Promise<Answer<typeof ReturnAnswer>> {
  const { four_eyes, actor } = await readFilingRule(context)
  return readAgainOnChange(async () => {
    const row = await findReturn(context, id)
    const before = (await readSubmissions(context, [id])).get(id) ?? null
    const asked = submissionRow(context, row, body, { actor, before })
    if (four_eyes && isFiled(asked) && !isFiled(before)) await refuseOneReader(context, before, actor)
    const same = before !== null && changedFields(before, asked).length === 0
    const after = same ? before : asked
    const answer = presentFiled(row, await toldOfReturn(context, row, after))
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

/** Throws review_required and second_person_required, unless another person has reviewed the return. */
async function refuseOneReader(context: Context, before: SubmissionRow | null, filer: Actor): Promise<void> {
  const reviewer = reviewerOf(before)
  const people = peopleToCompare(reviewer, filer)
  refuseUnreviewed(reviewer, filer, people !== null && (await mayBeOnePerson(context, ...people)))
}

type Told = Pick<SubmissionRow, 'state' | 'number' | 'day' | 'paid_at' | 'payment' | 'interest' | 'note'>

/** The row of a submission as the caller tells it. Throws invalid_request for days that cannot be. */
export function submissionRow(
  context: Context,
  { id, to_date }: Pick<ReturnRow, 'id' | 'to_date'>,
  body: SubmissionBody,
  { actor, before }: { actor: Actor; before: SubmissionRow | null },
): SubmissionRow {
  // A return without a submission was filed when it was kept.
  const state = body.state ?? before?.state ?? 'filed'
  refuseEarly(body, state)
  const told = toldOf(body, state, before)
  refuseImpossible(told, to_date, dayIn(context.principal.time_zone, context.now))
  const now = context.now.toISOString()
  return {
    return_id: id,
    ...told,
    ...reviewOf(state, { actor, before, now }),
    updated_at: before === null ? now : changedAt(context.now, before.updated_at),
  }
}

type Review = Pick<SubmissionRow, 'reviewed_at' | 'reviewed_by' | 'reviewed_person'>

/** The first review counts, until the return is `open` again. */
function reviewOf(
  state: Told['state'],
  { actor, before, now }: { actor: Actor; before: SubmissionRow | null; now: string },
): Review {
  const kept = state === 'open' ? null : before
  if (state === 'reviewed' && !kept?.reviewed_at)
    return { reviewed_at: now, reviewed_by: actor.id, reviewed_person: actor.person }
  const { reviewed_at = null, reviewed_by = null, reviewed_person = null } = kept ?? {}
  return { reviewed_at, reviewed_by, reviewed_person }
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

/** The values to keep: the given ones, else the ones kept before, if they fit the state. */
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
