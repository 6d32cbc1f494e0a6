import { bookFor } from '../../tax-data/records/book-for.ts'
import type { Context } from '../../platform/context.ts'
import { type HashedFields, valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import { NO_DOCUMENT, type StoredExemption } from './exemption.ts'
import { dropDocuments } from './document-store.ts'
import { checkMove, endedOn } from '../../platform/database/values/exemption-statuses.ts'
import type { ExemptionUpdateBody, NewExemptionBody } from './schemas.ts'
import {
  insertExemption,
  readAuditSalt,
  readExemption,
  removeExemption,
  replaceExemption,
  unusedExemption,
} from './store.ts'

/** Adds a pending exemption to a customer. Throws not_found, unknown_jurisdiction. */
export async function createExemption(
  context: Context,
  customer_id: string,
  body: NewExemptionBody,
): Promise<StoredExemption> {
  const exemption = await newExemption(context, body)
  return addExemption(context, customer_id, exemption, { changed: Object.keys(body) })
}

/** The exemption that a body describes, pending and without a file. Throws unknown_jurisdiction. */
export async function newExemption(context: Context, body: NewExemptionBody): Promise<StoredExemption> {
  const now = context.now.toISOString()
  const exemption: StoredExemption = {
    id: newId('exm'),
    jurisdiction_id: body.jurisdiction_id,
    exemption_type: body.exemption_type,
    certificate_number: body.certificate_number,
    certificate_url: body.certificate_url ?? null,
    valid_from: body.valid_from,
    valid_to: body.valid_to ?? null,
    status: 'pending',
    verification_notes: null,
    created_at: now,
    updated_at: now,
    reason_code: body.reason_code ?? null,
    ended_on: null,
    ...NO_DOCUMENT,
  }
  await holdTogether(context, exemption)
  return exemption
}

/** How an exemption is added. `first` are changes of the same batch, and `document_id` its stored file. */
type Adding = {
  changed: readonly string[]
  first?: readonly D1PreparedStatement[]
  document_id?: string
}

/** Writes a new exemption of a customer. Throws not_found, and what `first` fails with. */
export async function addExemption(
  context: Context,
  customer_id: string,
  exemption: StoredExemption,
  { changed, first = [], document_id }: Adding,
): Promise<StoredExemption> {
  const inserted = insertExemption(context, customer_id, exemption, document_id)
  await commit(context, {
    // A customer that is deleted at the same moment must not leave an exemption behind.
    changes: [...first, ...guarded(context.books, inserted, 'not_found')],
    stores: { exemptions: 1 },
    audit: {
      action: 'exemption.created',
      resource_id: exemption.id,
      changed,
      values: await valuesOf(null, exemption, await hashedFields(context, customer_id)),
    },
    answer: exemption,
  })
  return exemption
}

/**
 * Changes the given fields. A new status must be one that moves.ts allows after the status at the moment of
 * the write.
 */
export async function updateExemption(
  context: Context,
  customer_id: string,
  id: string,
  body: ExemptionUpdateBody,
): Promise<StoredExemption> {
  const read = () => readExemption(context, customer_id, id)
  return changeRow(context, read, async (before, updated_at) => {
    if (body.status !== undefined) checkMove(before.status, body.status)
    const changed = { ...before, ...given(body), updated_at }
    const today = todayIn(context.principal.time_zone, context.now)
    const after: StoredExemption = { ...changed, ended_on: endedOn(before, changed, today) }
    await holdTogether(context, after)
    await commit(context, {
      changes: guarded(context.books, replaceExemption(context, before, after), 'concurrent_change'),
      audit: {
        action: 'exemption.updated',
        resource_id: id,
        changed: Object.keys(body),
        values: await valuesOf(before, after, await hashedFields(context, customer_id)),
      },
      answer: after,
    })
    return after
  })
}

/** Throws exemption_in_use if sales rest on the certificate. */
export async function deleteExemption(
  context: Context,
  customer_id: string,
  id: string,
): Promise<Answer<typeof DeletedAnswer>> {
  const before = await readExemption(context, customer_id, id)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: [
      unusedExemption(context, id),
      ...dropDocuments(context, 'id', id),
      ...guarded(context.books, removeExemption(context, customer_id, id), 'not_found'),
    ],
    stores: { exemptions: -1 },
    audit: {
      action: 'exemption.deleted',
      resource_id: id,
      changed: [],
      values: await valuesOf(before, null, await hashedFields(context, customer_id)),
    },
    answer,
  })
  return answer
}

/** A certificate names a person, and notes may. */
export const PERSONAL = new Set([
  'certificate_number',
  'certificate_url',
  'verification_notes',
  'document_sha256',
])

export async function hashedFields(context: Context, customer_id: string): Promise<HashedFields> {
  return { names: PERSONAL, salt: await readAuditSalt(context, customer_id) }
}

function given(body: ExemptionUpdateBody): Partial<StoredExemption> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

async function holdTogether(
  context: Context,
  { jurisdiction_id, valid_from, valid_to }: StoredExemption,
): Promise<void> {
  if (valid_to !== null && valid_to < valid_from)
    throw fieldError('invalid_request', 'valid_to', 'must not be before valid_from')
  if (!(await bookFor(context)).jurisdictions.has(jurisdiction_id)) {
    throw fieldError(
      'unknown_jurisdiction',
      'jurisdiction_id',
      `${JSON.stringify(jurisdiction_id)} is unknown`,
    )
  }
}
