import { forgetPrincipals } from '../accounts/authenticate.ts'
import { bookFor } from '../calculation/calculate.ts'
import type { Context } from '../context.ts'
import { changedFields, commit } from '../database/commit.ts'
import { guarded } from '../database/guard.ts'
import { newId } from '../database/ids.ts'
import type { registrations } from '../database/tables/accounts.ts'
import { ApiError, fieldError } from '../errors.ts'
import type { Answer, DeletedAnswer } from '../http/answers.ts'
import { pageOf } from '../http/page.ts'
import type { RegistrationBody, RegistrationsAnswer } from './schemas.ts'

type Registration = Omit<typeof registrations.$inferSelect, 'account_id'>

const COLUMNS =
  'id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, created_at, updated_at'

/** The registrations of the account, newest first. */
export async function listRegistrations(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof RegistrationsAnswer>> {
  const { account_id } = context.principal
  const [rows, count] = await context.env.DB.batch<Registration & { total: number }>([
    context.env.DB.prepare(
      `SELECT ${COLUMNS} FROM registrations WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
    ).bind(account_id, limit, offset),
    context.env.DB.prepare('SELECT count(*) AS total FROM registrations WHERE account_id = ?').bind(
      account_id,
    ),
  ])
  return { registrations: rows?.results ?? [], ...pageOf(count?.results[0]?.total ?? 0, limit, offset) }
}

export async function createRegistration(context: Context, body: RegistrationBody): Promise<Registration> {
  const now = context.now.toISOString()
  if (body.valid_from === undefined) throw fieldError('invalid_request', 'valid_from', 'is required')
  const blank: Registration = {
    id: newId('reg'),
    jurisdiction_id: null,
    scheme: null,
    registration_number: null,
    valid_from: '',
    valid_to: null,
    created_at: now,
    updated_at: now,
  }
  const registration = await merge(context, blank, body)
  return write(context, [insert(context, registration)], 'registration.created', blank, registration)
}

export async function readRegistration(context: Context, id: string): Promise<Registration> {
  const row = await context.env.DB.prepare(
    `SELECT ${COLUMNS} FROM registrations WHERE account_id = ? AND id = ?`,
  )
    .bind(context.principal.account_id, id)
    .first<Registration>()
  if (row === null) throw new ApiError('not_found')
  return row
}

export async function updateRegistration(
  context: Context,
  id: string,
  body: RegistrationBody,
): Promise<Registration> {
  const before = await readRegistration(context, id)
  const registration = await merge(context, { ...before, updated_at: context.now.toISOString() }, body)
  // A deletion at the same moment must not be undone by this update.
  return write(
    context,
    guarded(context.env.DB, update(context, registration), 'not_found'),
    'registration.updated',
    before,
    registration,
  )
}

/** Of two deletions at once one finds nothing. */
export async function deleteRegistration(
  context: Context,
  id: string,
): Promise<Answer<typeof DeletedAnswer>> {
  const { env, principal } = context
  const remove = env.DB.prepare('DELETE FROM registrations WHERE account_id = ? AND id = ?').bind(
    principal.account_id,
    id,
  )
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: guarded(env.DB, remove, 'not_found'),
    audit: { action: 'registration.deleted', resource_id: id, changed: [] },
    answer,
  })
  forgetPrincipals()
  return answer
}

/** What is given replaces what was; the whole must then hold together. */
async function merge(context: Context, before: Registration, body: RegistrationBody): Promise<Registration> {
  const after: Registration = {
    ...before,
    ...(body.jurisdiction_id !== undefined && { jurisdiction_id: body.jurisdiction_id }),
    ...(body.scheme !== undefined && { scheme: body.scheme }),
    ...(body.registration_number !== undefined && { registration_number: body.registration_number }),
    ...(body.valid_from !== undefined && { valid_from: body.valid_from }),
    ...(body.valid_to !== undefined && { valid_to: body.valid_to }),
  }
  if ((after.jurisdiction_id === null) === (after.scheme === null)) {
    throw fieldError('invalid_request', 'jurisdiction_id', 'or scheme is required, and only one of them')
  }
  if (after.valid_to !== null && after.valid_to < after.valid_from)
    throw fieldError('invalid_request', 'valid_to', 'must not be before valid_from')
  if (
    after.jurisdiction_id !== null &&
    !(await bookFor(context, null)).jurisdictions.has(after.jurisdiction_id)
  ) {
    throw fieldError(
      'unknown_jurisdiction',
      'jurisdiction_id',
      `${JSON.stringify(after.jurisdiction_id)} is not known`,
    )
  }
  return after
}

function insert({ env, principal }: Context, registration: Registration): D1PreparedStatement {
  const { id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, created_at, updated_at } =
    registration
  return env.DB.prepare(
    `INSERT INTO registrations (account_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).bind(
    principal.account_id,
    id,
    jurisdiction_id,
    scheme,
    registration_number,
    valid_from,
    valid_to,
    created_at,
    updated_at,
  )
}

function update({ env, principal }: Context, registration: Registration): D1PreparedStatement {
  const { id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, updated_at } = registration
  return env.DB.prepare(
    `UPDATE registrations SET jurisdiction_id = ?, scheme = ?, registration_number = ?, valid_from = ?, valid_to = ?, updated_at = ?
     WHERE account_id = ? AND id = ?`,
  ).bind(
    jurisdiction_id,
    scheme,
    registration_number,
    valid_from,
    valid_to,
    updated_at,
    principal.account_id,
    id,
  )
}

async function write(
  context: Context,
  changes: D1PreparedStatement[],
  action: string,
  before: Registration,
  after: Registration,
): Promise<Registration> {
  await commit(context, {
    changes,
    audit: { action, resource_id: after.id, changed: changedFields(before, after) },
    answer: after,
  })
  forgetPrincipals()
  return after
}
