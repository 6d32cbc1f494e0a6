import { readActorNames } from '../../platform/audit/actor-names-store.ts'
import type { Context } from '../../platform/context.ts'
import type { ToldOfReturn } from './present-filed.ts'
import type { ReturnRow } from '../archive/returns-store.ts'
import { readSubmissions, type SubmissionRow } from '../archive/submissions-store.ts'

type Locked = Pick<ReturnRow, 'id' | 'filed_by'>

/** What was told of some returns, and who did it. */
export async function readToldOfReturns(
  context: Context,
  rows: readonly Locked[],
): Promise<(row: Locked) => ToldOfReturn> {
  const submissions = await readSubmissions(
    context,
    rows.map(({ id }) => id),
  )
  const reviewers = [...submissions.values()].map(({ reviewed_by }) => reviewed_by)
  const names = await readActorNames(context, [...rows.map(({ filed_by }) => filed_by), ...reviewers])
  return ({ id }) => ({ submission: submissions.get(id) ?? null, names })
}

/** What was told of one return. */
export async function readToldOfReturn(context: Context, row: Locked): Promise<ToldOfReturn> {
  return (await readToldOfReturns(context, [row]))(row)
}

/** What is told of a return from now on. */
export async function toldOfReturn(
  context: Context,
  { filed_by }: Locked,
  submission: SubmissionRow | null,
): Promise<ToldOfReturn> {
  return { submission, names: await readActorNames(context, [filed_by, submission?.reviewed_by ?? null]) }
}
