import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { withinCount } from '../../platform/writes/usage.ts'
import { setCountryIfNone } from '../../parties/accounts/store.ts'
import { ApiError } from '../../platform/errors.ts'
import { refuseIfFiled } from '../../returns/due/rests-on.ts'
import {
  addRegistrationIfNew,
  readRegistrationsOf,
  removeRegistration,
} from '../../returns/registrations/store.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { ExampleIds } from './example-ids.ts'
import { EXAMPLE_COUNTRY, exampleRegistrations } from './example-sales.ts'

/** Registrations are in the control database, so they are a batch of their own, with no answer of its own. */
function inControl(context: Context): Context {
  return { ...context, written: context.env.DB, idempotency: null }
}

/**
 * Adds the example registrations that are not there, but for places where the account is registered itself,
 * and the country if the account has none. Returns how many it added.
 */
export async function addRegistrations(
  context: Context,
  { registrations: ids }: ExampleIds,
  valid_from: string,
): Promise<number> {
  const there = await readRegistrationsOf(context, ids)
  const bodies = exampleRegistrations(valid_from)
  const missing = ids.filter((id, number) => {
    const { jurisdiction_id, scheme } = at(bodies, number)
    const place = jurisdiction_id ?? scheme
    const has_own = context.principal.registrations.some((own) => own.id === place)
    return !has_own && !there.some((each) => each.id === id)
  })
  if (missing.length === 0) return 0
  const now = context.now.toISOString()
  const control = inControl(context)
  await commit(control, {
    changes: [
      setCountryIfNone(control, EXAMPLE_COUNTRY),
      ...missing.flatMap((id) => {
        const {
          jurisdiction_id = null,
          scheme = null,
          registration_number = null,
        } = at(bodies, ids.indexOf(id))
        return addRegistrationIfNew(control, {
          id,
          jurisdiction_id,
          scheme,
          registration_number,
          valid_from,
          valid_to: null,
          filing_frequency: null,
          created_at: now,
          updated_at: now,
        })
      }),
      withinCount(control, 'registrations'),
    ],
    audit: missing.map((id) => ({ action: 'registration.created', resource_id: id, changed: [] })),
    answer: {},
  })
  return missing.length
}

/** Removes the example registrations, but for those on which filed returns rest. */
export async function removeRegistrations(
  context: Context,
  { registrations: ids }: ExampleIds,
): Promise<{ count: number; kept: string[] }> {
  const removed: string[] = []
  const kept: string[] = []
  for (const registration of await readRegistrationsOf(context, ids)) {
    try {
      await refuseIfFiled(context, registration, null)
      removed.push(registration.id)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason !== 'registration_in_use') throw thrown
      kept.push(registration.id)
    }
  }
  if (removed.length === 0) return { count: 0, kept }
  const control = inControl(context)
  await commit(control, {
    changes: removed.map((id) => removeRegistration(control, id)),
    audit: removed.map((id) => ({ action: 'registration.deleted', resource_id: id, changed: [] })),
    answer: {},
  })
  return { count: removed.length, kept }
}
