import { forgetPrincipals } from '../../parties/accounts/authenticate.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { changedFields, commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { newId } from '../../platform/database/ids.ts'
import { withinCount } from '../../platform/writes/usage.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { refuseIfFiled } from '../due/rests-on.ts'
import { isSmallBusinessId } from '../../engine/regimes/eu-member-states.ts'
import type { RegistrationBody, RegistrationsAnswer } from './schemas.ts'
import {
  insertRegistration,
  readRegistration,
  readRegistrations,
  type Registration,
  removeRegistration,
  replaceRegistration,
} from './store.ts'

/** The registrations of the account, newest first. */
export async function listRegistrations(
  context: Context,
  limit: number,
  offset: number,
): Promise<Answer<typeof RegistrationsAnswer>> {
  const { rows, total } = await readRegistrations(context, limit, offset)
  return { registrations: rows, ...pageOf(total, limit, offset) }
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
    filing_frequency: null,
    created_at: now,
    updated_at: now,
  }
  const registration = await mergeRegistration(context, blank, body)
  return writeRegistration(
    context,
    [insertRegistration(context, registration), withinCount(context, 'registrations')],
    'registration.created',
    blank,
    registration,
  )
}

/**
 * Changes the given fields. Two updates at once each change their own. Throws not_found, invalid_request,
 * unknown_jurisdiction, registration_in_use.
 */
export async function updateRegistration(
  context: Context,
  id: string,
  body: RegistrationBody,
): Promise<Registration> {
  const read = () => readRegistration(context, id)
  return changeRow(context, read, async (before, updated_at) => {
    const registration = await mergeRegistration(context, { ...before, updated_at }, body)
    await refuseIfFiled(context, before, registration)
    return writeRegistration(
      context,
      guarded(context.env.DB, replaceRegistration(context, before, registration), 'concurrent_change'),
      'registration.updated',
      before,
      registration,
    )
  })
}

/** If two requests delete it at once, one of them gets not_found. Throws registration_in_use. */
export async function deleteRegistration(
  context: Context,
  id: string,
): Promise<Answer<typeof DeletedAnswer>> {
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  const before = await readRegistration(context, id)
  await refuseIfFiled(context, before, null)
  await commit(context, {
    changes: guarded(context.env.DB, removeRegistration(context, id), 'not_found'),
    audit: {
      action: 'registration.deleted',
      resource_id: id,
      changed: [],
      values: await valuesOf(before, null),
    },
    answer,
  })
  forgetPrincipals(context.principal.account_id)
  return answer
}

/** The registration with the given fields replaced. Throws invalid_request or unknown_jurisdiction. */
async function mergeRegistration(
  context: Context,
  before: Registration,
  body: RegistrationBody,
): Promise<Registration> {
  const after: Registration = {
    ...before,
    ...(body.jurisdiction_id !== undefined && { jurisdiction_id: body.jurisdiction_id }),
    ...(body.scheme !== undefined && { scheme: body.scheme }),
    ...(body.registration_number !== undefined && { registration_number: body.registration_number }),
    ...(body.valid_from !== undefined && { valid_from: body.valid_from }),
    ...(body.valid_to !== undefined && { valid_to: body.valid_to }),
    ...(body.filing_frequency !== undefined && { filing_frequency: body.filing_frequency }),
  }
  if ((after.jurisdiction_id === null) === (after.scheme === null)) {
    throw fieldError('invalid_request', 'jurisdiction_id', 'give either jurisdiction_id or scheme')
  }
  if (after.valid_to !== null && after.valid_to < after.valid_from)
    throw fieldError('invalid_request', 'valid_to', 'must not be before valid_from')
  const id = after.jurisdiction_id
  if (id !== null && !isSmallBusinessId(id) && !(await bookFor(context)).jurisdictions.has(id)) {
    throw fieldError(
      'unknown_jurisdiction',
      'jurisdiction_id',
      `there is no jurisdiction ${JSON.stringify(id)}`,
    )
  }
  return after
}

async function writeRegistration(
  context: Context,
  changes: D1PreparedStatement[],
  action: string,
  before: Registration,
  after: Registration,
): Promise<Registration> {
  await commit(context, {
    changes,
    audit: {
      action,
      resource_id: after.id,
      changed: changedFields(before, after),
      values: await valuesOf(before, after),
    },
    answer: after,
  })
  forgetPrincipals(context.principal.account_id)
  return after
}
