import type { Bindings } from '../bindings.ts'
import { guarded, guardFailure } from '../database/guard.ts'
import { newId } from '../database/ids.ts'
import { ApiError } from '../errors.ts'
import { requesterOf } from './requester.ts'
import { validateVatId } from './validate.ts'
import {
  keepProof,
  leaseValidation,
  nextAttemptAt,
  postpone,
  readOverdueValidations,
  type WaitingValidation,
  worthAnotherAttempt,
  writeValidation,
} from './validations-store.ts'

const PREFIX = 'vat:'
/** What is overdue by more has lost its message. */
const GRACE_MS = 60_000

/** The waiting validation that a queue message is about; null for a message about something else. */
export function validationOfMessage(id: string): string | null {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null
}

/** Sends a message for the next attempt. A queue that takes none is no error: the sweep finds what is due. */
export async function wakeValidation(env: Bindings, id: string, at: string | null, now: Date): Promise<void> {
  if (at === null) return
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(at) - now.getTime()) / 1_000))
  await env.WEBHOOK_EVENTS.send({ id: PREFIX + id }, { delaySeconds }).catch(() => undefined)
}

/** Wakes validations that are due and have no message. */
export async function sweepValidations(env: Bindings, now: Date): Promise<void> {
  const overdue = await readOverdueValidations(env.DB, new Date(now.getTime() - GRACE_MS).toISOString())
  for (const id of overdue) await wakeValidation(env, id, now.toISOString(), now)
}

/** Asks the authority again about a customer's VAT id, if that is due, and writes what it says. */
export async function retryValidation(env: Bindings, id: string, now: Date): Promise<void> {
  const waiting = await leaseValidation(env.DB, id, now)
  if (waiting === null) return
  const requester = await requesterOf(env.DB, waiting.account_id)
  const said = await validateVatId(
    env,
    { vat_id: waiting.vat_id, country: waiting.country ?? undefined, requester },
    now,
  )
  if (said.status === 'unavailable') {
    const next = worthAnotherAttempt(said) ? nextAttemptAt(waiting.attempts, now) : null
    await postpone(env.DB, id, next, said.reason).run()
    return wakeValidation(env, id, next, now)
  }
  try {
    await env.DB.batch([
      ...guarded(env.DB, writeValidation(env.DB, waiting, said), 'concurrent_change'),
      auditEvent(env.DB, waiting, now),
      ...keepProof(env.DB, newId('vat'), waiting, said, now.toISOString()),
    ])
  } catch (thrown) {
    const failure = guardFailure(thrown)
    if (!(failure instanceof ApiError)) throw failure
    // The id was changed while the authority was asked about the old one.
    await postpone(env.DB, id, null, 'changed_meanwhile').run()
  }
}

function auditEvent(
  db: D1Database,
  { account_id, customer_id }: WaitingValidation,
  now: Date,
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
       VALUES (?, ?, 'system', 'customer.vat_id_validated', ?, '["vat_id_validated","vat_id_validated_at","vat_id_company_name"]', ?, ?)`,
    )
    .bind(newId('aud'), account_id, customer_id, newId('req'), now.toISOString())
}
