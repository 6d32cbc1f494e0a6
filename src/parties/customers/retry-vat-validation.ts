import type { Bindings } from '../../platform/bindings.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { guarded } from '../../platform/database/guard.ts'
import { requireHome } from '../../platform/database/home.ts'
import { newId } from '../../platform/database/ids.ts'
import { commitSystemChange } from '../../platform/writes/system-change.ts'
import { ApiError } from '../../platform/errors.ts'
import { insertEvents } from '../../notices/events/events.ts'
import { sendMessages } from '../../platform/queue/send.ts'
import { readAsker } from '../vat/requester.ts'
import { validateVatId } from '../vat/validate.ts'
import { hashedFieldsOf } from './customer.ts'
import { readValidated } from './store.ts'
import { vatIdChanged } from './vat-id-changed.ts'
import {
  keepProof,
  leaseValidation,
  nextAttemptAt,
  postpone,
  readOverdueValidations,
  validatedFields,
  VALIDATED_FIELDS,
  worthAnotherAttempt,
  writeValidation,
} from './vat-validations-store.ts'

/** A validation that is overdue by more has lost its message. */
const GRACE_MS = 60_000

/** Sends a message for the next attempt at a moment. Null: there is no next attempt. */
export async function wakeValidation(
  env: Bindings,
  { number: shard }: Shard,
  id: string,
  at: string | null,
  now: Date,
): Promise<void> {
  if (at !== null)
    await sendMessages(env.VALIDATIONS, [{ message: { kind: 'validation', id, shard }, at }], now)
}

/** Wakes validations that are due and have no message. */
export async function sweepValidations(
  env: Bindings,
  { number: shard, books }: Shard,
  now: Date,
): Promise<void> {
  const overdue = await readOverdueValidations(books, new Date(now.getTime() - GRACE_MS).toISOString())
  const wakes = overdue.map((id) => ({ message: { kind: 'validation', id, shard } as const, at: null }))
  await sendMessages(env.VALIDATIONS, wakes, now)
}

/** Asks the authority again about a customer's VAT id, if that is due, and records the answer. */
export async function retryValidation(env: Bindings, shard: Shard, id: string, now: Date): Promise<void> {
  const { books } = shard
  const waiting = await leaseValidation(books, id, now)
  if (waiting === null) return
  const asker = await readAsker(env.DB, waiting.account_id)
  const said = await validateVatId(
    env,
    { vat_id: waiting.vat_id, country: waiting.country ?? undefined, requester: asker.requester, asker },
    now,
  )
  if (said.status === 'unavailable') {
    const next = worthAnotherAttempt(said) ? nextAttemptAt(waiting.attempts, now) : null
    await postpone(books, id, next, said.reason).run()
    return wakeValidation(env, shard, id, next, now)
  }
  const before = await readValidated(books, waiting.account_id, waiting.customer_id)
  try {
    await commitSystemChange(books, now, {
      changes: [
        requireHome(books, waiting.account_id),
        ...guarded(books, writeValidation(books, waiting, said), 'concurrent_change'),
        ...keepProof(books, newId('vat'), waiting, said, now.toISOString()),
      ],
      events: insertEvents(env, shard, vatIdChanged(waiting, before, said), now),
      audit: [
        {
          account_id: waiting.account_id,
          action: 'customer.vat_id_validated',
          resource_id: waiting.customer_id,
          changed: VALIDATED_FIELDS,
          values: await valuesOf(before, validatedFields(said), hashedFieldsOf(before)),
        },
      ],
    })
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    // The id was changed while the authority was asked about the old one.
    await postpone(books, id, null, 'changed_meanwhile').run()
  }
}
