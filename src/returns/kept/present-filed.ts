import type * as z from 'zod'
import type { ActorNames } from '../../platform/audit/actor-names-store.ts'
import { figuresAsFiled } from '../filing/figures-as-filed.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { FILING_TYPES } from '../forms/forms.ts'
import type { ReturnRow } from '../archive/returns-store.ts'
import type { FiledReturn, ReturnAnswer, ReturnDifference, ReturnSubmission } from './schemas.ts'
import type { SubmissionRow } from '../archive/submissions-store.ts'

/** What was told of a return (null: nothing), and the names of those who locked and reviewed it. */
export type ToldOfReturn = { submission: SubmissionRow | null; names: ActorNames }

/** A filed return as the API shows it, without its figures. */
export function presentHead(
  row: ReturnRow,
  { submission, names }: ToldOfReturn,
): z.output<typeof FiledReturn> {
  return {
    id: row.id,
    type: invariant(
      FILING_TYPES.find((type) => type === row.type),
      'a return has a form',
    ),
    jurisdiction_id: row.jurisdiction_id === '' ? null : row.jurisdiction_id,
    period: row.period,
    from_date: row.from_date,
    to_date: row.to_date,
    version: row.version,
    status: row.status === 'reopened' ? 'reopened' : 'filed',
    late_entries: row.late === 1,
    row_count: row.row_count,
    data_version: row.data_version,
    previous_hash: row.previous_hash ?? '',
    hash: invariant(row.hash, 'a filed return has a hash'),
    filed_at: invariant(row.filed_at, 'a filed return has a time'),
    filed_by: row.filed_by,
    filed_by_name: names.get(row.filed_by) ?? null,
    reopened_at: row.reopened_at,
    reopen_reason: row.reopen_reason,
    submission: presentSubmission(submission, names),
  }
}

/** A filed return with its figures. `comparison`: what differs from another version, null: not asked. */
export function presentFiled(
  row: ReturnRow,
  told: ToldOfReturn,
  comparison: z.output<typeof ReturnDifference> | null = null,
): Answer<typeof ReturnAnswer> {
  return { ...presentHead(row, told), figures: figuresAsFiled(row), comparison }
}

function presentSubmission(row: SubmissionRow | null, names: ActorNames): z.output<typeof ReturnSubmission> {
  if (row === null) return NOTHING_TOLD
  const { return_id: _, ...shown } = row
  return { ...shown, reviewed_by_name: names.get(row.reviewed_by ?? '') ?? null }
}

/** Without a submission, the return was filed when it was kept, and nothing more is known. */
const NOTHING_TOLD = {
  state: 'filed',
  number: null,
  day: null,
  paid_at: null,
  payment: null,
  interest: null,
  note: null,
  reviewed_at: null,
  reviewed_by: null,
  reviewed_by_name: null,
  reviewed_person: null,
  updated_at: null,
} as const
