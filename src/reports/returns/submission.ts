import type { Context } from '../../context.ts'
import { valuesOf } from '../../database/audit-values.ts'
import { changedFields, commit } from '../../database/commit.ts'
import { changedAt, readAgainOnChange } from '../../database/read-again.ts'
import { fieldError } from '../../errors.ts'
import type { Answer } from '../../http/answers.ts'
import { dayIn } from '../../time-zone.ts'
import { presentFiled } from './present-filed.ts'
import { findReturn } from './reopen.ts'
import type { ReturnRow } from './returns-store.ts'
import type { ReturnAnswer, SubmissionBody } from './schemas.ts'
import { readSubmissions, replaceSubmission, type SubmissionRow } from './submissions-store.ts'

/**
 * Keeps what became of a return at the tax office, in place of what was kept before. Asked twice, the second
 * one changes nothing. Throws not_found, and invalid_request for days that cannot be.
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

/** The row of a submission as the caller tells it. Throws invalid_request for days that cannot be. */
export function submissionRow(
  context: Context,
  { id, to_date }: Pick<ReturnRow, 'id' | 'to_date'>,
  body: SubmissionBody,
  before: SubmissionRow | null,
): SubmissionRow {
  refuseImpossible(body, to_date, dayIn(context.principal.time_zone, context.now))
  const now = context.now.toISOString()
  const reviewed = body.state === 'reviewed' && (before === null || before.reviewed_at === null)
  return {
    return_id: id,
    state: body.state,
    number: body.number ?? null,
    day: body.day ?? null,
    paid_at: body.paid_at ?? null,
    payment: body.payment ?? null,
    interest: body.interest ?? null,
    note: body.note ?? null,
    ...(reviewed
      ? { reviewed_at: now, reviewed_by: context.principal.key_id }
      : {
          reviewed_at: body.state === 'open' ? null : (before?.reviewed_at ?? null),
          reviewed_by: body.state === 'open' ? null : (before?.reviewed_by ?? null),
        }),
    updated_at: before === null ? now : changedAt(context.now, before.updated_at),
  }
}

/** The fields that only a filed return has, and only a paid one. */
const WHEN_FILED = ['number', 'day'] as const
const WHEN_PAID = ['paid_at', 'payment', 'interest'] as const

function refuseImpossible(body: SubmissionBody, to_date: string, today: string): void {
  const paid = body.state === 'paid'
  const filed = paid || body.state === 'filed'
  const early = [...(filed ? [] : WHEN_FILED), ...(paid ? [] : WHEN_PAID)].find((name) => isGiven(body[name]))
  if (early !== undefined)
    throw fieldError('invalid_request', early, `does not go with the state ${body.state}`)
  if (filed) requireField(body, 'day', 'the day on which the return was filed')
  if (paid) requireField(body, 'paid_at', 'the day on which the tax was paid')
  if (paid) requireField(body, 'payment', 'what was paid, in minor units')
  for (const name of ['day', 'paid_at'] as const)
    if ((body[name] ?? today) > today) throw fieldError('invalid_request', name, 'must not be in the future')
  if ((body.day ?? to_date) < to_date)
    throw fieldError('invalid_request', 'day', `must not be before ${to_date}, the end of the period`)
}

function requireField(body: SubmissionBody, name: 'day' | 'paid_at' | 'payment', what: string): void {
  if (!isGiven(body[name])) throw fieldError('invalid_request', name, `is required: ${what}`)
}

function isGiven(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined
}
