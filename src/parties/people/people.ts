import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { type AuditEntry, changedFields, commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { ApiError } from '../../platform/errors.ts'
import { linkTo } from '../../platform/own-addresses.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { type Role, ROLES } from '../../platform/database/values/roles.ts'
import { allows } from '../../platform/database/values/scopes.ts'
import type { NewPersonRequest, PeopleAnswer, Person, PersonRequest, PersonShown } from './schemas.ts'
import {
  endPerson,
  erasePerson,
  insertPerson,
  type PersonRow,
  readPeople,
  readPerson,
  requireOwner,
  updatePerson,
} from './store.ts'

/** The people who have access to the account. */
export async function listPeople(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof PeopleAnswer>> {
  const { rows, total } = await readPeople(context, limit, offset)
  return { people: rows.map(presentPerson), ...pageOf(total, limit, offset) }
}

/** A person, also one who was removed. Throws not_found. */
export async function getPerson(
  context: Context,
  id: string,
  asked_url: string,
): Promise<Answer<typeof PersonShown>> {
  const sign_in_url = linkTo(context.env, 'CONSOLE_URL', '/console/') ?? new URL('/console/', asked_url).href
  return { ...presentPerson(await readKnown(context, id)), sign_in_url }
}

/** Gives a person access to the account. Throws scope_not_grantable, person_exists and too_many_people. */
export async function addPerson(
  context: Context,
  { email, name, role }: z.output<typeof NewPersonRequest>,
): Promise<Answer<typeof Person>> {
  refuseLackingRole(context, role, 'give a role')
  const row = newPerson({ email, name, role }, context.now)
  const answer = presentPerson(row)
  await commit(context, {
    changes: insertPerson(context.env.DB, context.principal.account_id, row),
    audit: auditOf('person.added', row.id, null, row),
    answer,
  })
  return answer
}

/** The row of a person who is added now. */
export function newPerson(given: Pick<PersonRow, 'email' | 'name' | 'role'>, now: Date): PersonRow {
  return {
    id: newId('person'),
    email: given.email,
    name: given.name,
    role: given.role,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    last_seen_at: null,
    removed_at: null,
    erased_at: null,
    signed_out_at: null,
  }
}

/** Changes name and role. Throws not_found, scope_not_grantable and last_owner. */
export function putPerson(
  context: Context,
  id: string,
  change: z.output<typeof PersonRequest>,
): Promise<Answer<typeof Person>> {
  const read = async () => {
    const before = await readKnown(context, id)
    if (before.removed_at !== null) throw new ApiError('not_found')
    return before
  }
  return changeRow(context, read, async (before, updated_at) => {
    const after = { ...before, name: change.name ?? before.name, role: change.role ?? before.role }
    refuseLackingRole(context, before.role, 'change people of a role')
    refuseLackingRole(context, after.role, 'give a role')
    const changed = changedFields(before, after)
    if (changed.length === 0) return presentPerson(before)
    const answer = presentPerson({ ...after, updated_at })
    await commit(context, {
      changes: [
        ...guarded(
          context.env.DB,
          updatePerson(context, before, { ...after, updated_at }),
          'concurrent_change',
        ),
        ...(before.role === 'owner' && after.role !== 'owner' ? [requireOwner(context)] : []),
      ],
      audit: { ...auditOf('person.updated', id, before, after), changed },
      answer,
    })
    return answer
  })
}

/**
 * Ends the access of a person at once. With `erase`, name and e-mail are erased too, also of a person who was
 * removed before. Both may be repeated. Throws not_found, scope_not_grantable, last_owner and legal_hold.
 */
export async function removePerson(
  context: Context,
  id: string,
  erase: boolean,
): Promise<Answer<typeof DeletedAnswer>> {
  const before = await readKnown(context, id)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  const removes = before.removed_at === null
  const erases = erase && before.erased_at === null
  refuseLackingRole(context, before.role, 'remove people of a role')
  await commit(context, {
    changes: [
      ...(removes ? guarded(context.env.DB, endPerson(context, before), 'concurrent_change') : []),
      ...(removes && before.role === 'owner' ? [requireOwner(context)] : []),
      ...(erases ? erasePerson(context, id) : []),
    ],
    audit: [
      ...(removes ? [{ action: 'person.removed', resource_id: id, changed: ['removed_at'] }] : []),
      ...(erases ? [{ action: 'person.erased', resource_id: id, changed: ['email', 'name'] }] : []),
    ],
    answer,
  })
  return answer
}

async function readKnown(context: Context, id: string): Promise<PersonRow> {
  const person = await readPerson(context, id)
  if (person === null) throw new ApiError('not_found')
  return person
}

/** Throws scope_not_grantable if the caller lacks a scope of the role. */
function refuseLackingRole({ principal }: Context, role: Role, deed: string): void {
  const lacking = ROLES[role].find((scope) => !allows(principal.scopes, scope))
  if (lacking !== undefined)
    throw new ApiError('scope_not_grantable', {
      message: `You can only ${deed} whose scopes you have: ${role} has ${lacking}`,
      detail: lacking,
    })
}

/** The log has no name and no e-mail, so that both can be erased. */
function auditOf(
  action: string,
  resource_id: string,
  before: Pick<PersonRow, 'role'> | null,
  { role }: Pick<PersonRow, 'role'>,
): AuditEntry {
  const old = before?.role ?? null
  return {
    action,
    resource_id,
    changed: ['email', 'name', 'role'],
    values: old === role ? {} : { role: { old, new: role } },
  }
}

function presentPerson(row: PersonRow): Answer<typeof Person> {
  const { id, email, name, role, last_seen_at, created_at, updated_at, removed_at } = row
  return { id, email, name, role, last_seen_at, created_at, updated_at, removed_at }
}
