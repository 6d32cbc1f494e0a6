import { ApiError } from '../../platform/errors.ts'
import type { Actor } from '../../parties/accounts/actor-store.ts'
import type { SubmissionRow } from '../archive/submissions-store.ts'

/**
 * Who may file a return in an account with `four_eyes`: not who reviewed it, and at least one of the two is a
 * person who signed in. A key counts as the person who made it, so one person cannot do both. What is
 * reviewed are the locked figures of one version, which never change: a new version has no review.
 */
export function refuseUnreviewed(reviewer: Actor | null, filer: Actor): void {
  if (reviewer === null) throw new ApiError('review_required')
  if (isSame(reviewer, filer))
    throw new ApiError('second_person_required', {
      message: 'You reviewed this return, so another person must file it: a key counts as who made it',
    })
  if (!isPerson(reviewer) && !isPerson(filer))
    throw new ApiError('second_person_required', {
      message: 'A key reviewed this return, so a person must sign in and file it, or review it again',
    })
}

function isSame(reviewer: Actor, filer: Actor): boolean {
  return reviewer.id === filer.id || (reviewer.person !== null && reviewer.person === filer.person)
}

function isPerson({ id, person }: Actor): boolean {
  return id === person
}

/** Who reviewed a return; null: nobody. */
export function reviewerOf(submission: SubmissionRow | null): Actor | null {
  if (submission === null || submission.reviewed_by === null) return null
  return { id: submission.reviewed_by, person: submission.reviewed_person }
}

/** Whether a return is filed. One without a submission was filed when it was locked. */
export function isFiled(submission: Pick<SubmissionRow, 'state'> | null): boolean {
  return submission === null || submission.state === 'filed' || submission.state === 'paid'
}
