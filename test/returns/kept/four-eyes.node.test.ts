import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/parties/accounts/actor-store.ts'
import { ApiError } from '../../../src/platform/errors.ts'
import { peopleToCompare, refuseUnreviewed } from '../../../src/returns/kept/four-eyes.ts'

const person = (id: string): Actor => ({ id, person: id })
const key = (id: string, made_by: string | null = null): Actor => ({ id, person: made_by })

const ACTORS: readonly Actor[] = [
  person('person_a'),
  person('person_b'),
  key('key_of_a', 'person_a'),
  key('other_key_of_a', 'person_a'),
  key('key_of_b', 'person_b'),
  key('key_of_operator'),
  key('other_key_of_operator'),
]

/** The reason of the refusal; null: the return is filed. */
function reasonFor(reviewer: Actor | null, filer: Actor): string | null {
  try {
    refuseUnreviewed(reviewer, filer)
    return null
  } catch (thrown) {
    return thrown instanceof ApiError ? thrown.reason : 'no ApiError'
  }
}

describe('a return of an account with four eyes', () => {
  it.each([
    ['a person after another', person('person_a'), person('person_b'), null],
    ['a person after a key that another made', key('key', 'person_a'), person('person_b'), null],
    ['a key that another made, after a person', person('person_a'), key('key', 'person_b'), null],
    ['a person after a key of the operator', key('key'), person('person_b'), null],
    ['a key of the operator after a person', person('person_a'), key('key'), null],
    ['the same person', person('person_a'), person('person_a'), 'second_person_required'],
    ['a person after their own key', key('key', 'person_a'), person('person_a'), 'second_person_required'],
    ['the key of the reviewer', person('person_a'), key('key', 'person_a'), 'second_person_required'],
    ['two keys of one person', key('one', 'person_a'), key('two', 'person_a'), 'second_person_required'],
    ['two keys of two people', key('one', 'person_a'), key('two', 'person_b'), 'second_person_required'],
    ['two keys of the operator', key('one'), key('two'), 'second_person_required'],
    ['one key', key('one'), key('one'), 'second_person_required'],
    ['anybody without a review', null, person('person_a'), 'review_required'],
  ])('is filed or not by %s', (_who, reviewer, filer, reason) => {
    expect(reasonFor(reviewer, filer)).toBe(reason)
  })

  it('is not filed if reviewer and filer may be one person, whose e-mails are compared for that', () => {
    expect(() => refuseUnreviewed(person('person_a'), person('person_b'), true)).toThrow('has the e-mail')
    expect(peopleToCompare(key('key', 'person_a'), person('person_b'))).toEqual(['person_a', 'person_b'])
    for (const reviewer of [null, key('key'), person('person_b'), key('key', 'person_b')])
      expect(peopleToCompare(reviewer, person('person_b'))).toBeNull()
  })

  it('is never filed by one person alone, nor by keys alone, whatever keys they have', () => {
    for (const reviewer of ACTORS)
      for (const filer of ACTORS) {
        const one =
          reviewer.id === filer.id || (reviewer.person ?? reviewer.id) === (filer.person ?? filer.id)
        const signed_in = [reviewer, filer].some(({ id, person: of }) => id === of)
        const allowed = !one && signed_in
        expect(reasonFor(reviewer, filer) === null, `${filer.id} after ${reviewer.id}`).toBe(allowed)
        // Who goes first makes no difference.
        expect(reasonFor(filer, reviewer) === null).toBe(allowed)
      }
  })
})
