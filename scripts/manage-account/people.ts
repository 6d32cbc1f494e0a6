import type * as z from 'zod'
import { canonicalEmail } from '../../src/parties/people/email.ts'
import { newPerson } from '../../src/parties/people/people.ts'
import type { NewPersonRequest } from '../../src/parties/people/schemas.ts'
import {
  endPerson,
  insertPerson,
  type PersonRow,
  readPeople,
  requireOwner,
} from '../../src/parties/people/store.ts'
import type { ControlDb } from '../../src/platform/database/databases.ts'
import { guarded } from '../../src/platform/database/guard.ts'
import { commitSystemChange } from '../../src/platform/writes/system-change.ts'

/** All of them: an account has at most a hundred. */
const ALL = 100

/** The people of an account, with their roles. */
export async function listPeople(DB: ControlDb, account_id: string): Promise<PersonRow[]> {
  const { rows } = await readPeople({ env: { DB }, principal: { account_id } }, ALL, 0)
  return rows
}

/** Adds a person, such as the first owner of an account. Throws person_exists, too_many_people. */
export async function addPerson(
  control: ControlDb,
  account_id: string,
  given: z.output<typeof NewPersonRequest>,
  now: Date,
): Promise<PersonRow> {
  const person = newPerson(given, now)
  const values = { role: { old: null, new: person.role } }
  await commitSystemChange(control, now, {
    changes: insertPerson(control, account_id, person),
    audit: [
      {
        account_id,
        action: 'person.added',
        resource_id: person.id,
        changed: ['email', 'name', 'role'],
        values,
      },
    ],
  })
  return person
}

/** Ends the access of a person at once. Throws last_owner. */
export async function removePerson(
  DB: ControlDb,
  account_id: string,
  email: string,
  now: Date,
): Promise<PersonRow> {
  const wanted = canonicalEmail(email)
  const people = await listPeople(DB, account_id)
  const person = people.find((each) => each.email === wanted)
  if (person === undefined) throw new Error(`Nobody with the e-mail "${email}" is one of the people there`)
  const asking = { env: { DB }, principal: { account_id }, now }
  await commitSystemChange(DB, now, {
    changes: [
      ...guarded(DB, endPerson(asking, person), 'concurrent_change'),
      ...(person.role === 'owner' ? [requireOwner(asking)] : []),
    ],
    audit: [{ account_id, action: 'person.removed', resource_id: person.id, changed: ['removed_at'] }],
  })
  return { ...person, removed_at: now.toISOString() }
}
