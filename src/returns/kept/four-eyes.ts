import { ApiError } from '../../platform/errors.ts'
import type { Actor } from '../../parties/accounts/actor-store.ts'
import type { SubmissionRow } from '../archive/submissions-store.ts'

/**
 * Who may file a return in an account with `four_eyes`: not who reviewed it, and at least one of the two is a
 * person who signed in. A key counts as the person who made it, so one person cannot do both. What is
 * reviewed are the locked figures of one version, which never change: a new version has no review.
 * `may_be_one`: the two have different ids, but may be the same person.
 */
export function refuseUnreviewed(reviewer: Actor | null, filer: Actor, may_be_one = false): void {
  if (reviewer === null) throw new ApiError('review_required')
  if (may_be_one)
    throw new ApiError('second_person_required', {
      message:
        'Who reviewed this return has the e-mail of who files it, or one of the two was erased: let ' +
        'another person review or file it',
    })
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

/** Two different people, whose e-mails must be compared; null: one is none, or both have the same id. */
export function peopleToCompare(reviewer: Actor | null, filer: Actor): [string, string] | null {
  const [one, other] = [reviewer?.person ?? null, filer.person]
  return one === null || other === null || one === other ? null : [one, other]
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
