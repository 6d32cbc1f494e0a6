import type { Context } from '../../platform/context.ts'
import { hashedFieldsOf, presentCustomer } from './customer.ts'
import type { Customer, CustomerValidationAnswer } from './schemas.ts'
import { readCustomer } from './store.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import { ownShard } from '../../platform/database/shards.ts'
import { fieldError } from '../../platform/errors.ts'
import { insertEvents } from '../../notices/events/events.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { vatIdChanged } from './vat-id-changed.ts'
import { wakeValidation } from './retry-vat-validation.ts'
import { requesterOf } from '../vat/requester.ts'
import type { Validation } from '../vat/schemas.ts'
import { validateVatId } from '../vat/validate.ts'
import {
  type AskedVatId,
  keepProof,
  keepWaiting,
  nextAttemptAt,
  validatedFields,
  VALIDATED_FIELDS,
  worthAnotherAttempt,
  writeValidation,
} from './vat-validations-store.ts'

/**
 * Asks the authority about a customer's VAT id, and records the answer. If the authority does not answer, the
 * customer does not change, and the question is asked again later. Throws not_found, invalid_request, and
 * concurrent_change if the id was changed meanwhile.
 */
export async function validateCustomer(
  context: Context,
  customer_id: string,
): Promise<Answer<typeof CustomerValidationAnswer>> {
  const { env, books, principal, now } = context
  const { row, exemptions } = await readCustomer(context, 'id', customer_id)
  if (row.vat_id === null) throw fieldError('invalid_request', 'vat_id', 'the customer has no VAT id')
  const asked: AskedVatId = {
    account_id: principal.account_id,
    customer_id,
    vat_id: row.vat_id,
    country: row.country,
  }
  const question = {
    vat_id: row.vat_id,
    country: row.country ?? undefined,
    requester: await requesterOf(env.DB, asked.account_id),
    asker: principal,
  }
  const validation = await validateVatId(env, question, now)
  if (validation.status === 'unavailable')
    return postponeValidation(context, asked, validation, presentCustomer(row, exemptions))
  const customer = presentCustomer(
    { ...row, ...validatedFields(validation), updated_at: validation.checked_at },
    exemptions,
  )
  const answer = { customer, validation }
  await commit(context, {
    changes: [
      ...guarded(books, writeValidation(books, asked, validation), 'concurrent_change'),
      ...keepProof(books, newId('vat'), asked, validation, now.toISOString()),
    ],
    events: insertEvents(env, ownShard(context), vatIdChanged(asked, row, validation), now),
    audit: {
      action: 'customer.vat_id_validated',
      resource_id: customer_id,
      changed: VALIDATED_FIELDS,
      values: await valuesOf(row, { ...row, ...validatedFields(validation) }, hashedFieldsOf(row)),
    },
    answer,
  })
  return answer
}

async function postponeValidation(
  context: Context,
  asked: AskedVatId,
  validation: Validation,
  customer: Answer<typeof Customer>,
): Promise<Answer<typeof CustomerValidationAnswer>> {
  const { env, books, now } = context
  const answer = { customer, validation }
  if (!worthAnotherAttempt(validation)) return answer
  const id = newId('vat')
  await commit(context, {
    changes: keepWaiting(books, id, asked, validation, now),
    audit: { action: 'customer.vat_id_validation_postponed', resource_id: asked.customer_id, changed: [] },
    answer,
  })
  await wakeValidation(env, ownShard(context), id, nextAttemptAt(1, now), now)
  return answer
}
