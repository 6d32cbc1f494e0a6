import type { Bindings } from '../bindings.ts'
import { guarded, guardFailure } from '../database/guard.ts'
import { newId } from '../database/ids.ts'
import { ApiError } from '../errors.ts'
import { sendMessages } from '../queue/send.ts'
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

/** What is overdue by more has lost its message. */
const GRACE_MS = 60_000

/** Sends a message for the next attempt, if there is one: `at` is null if not. */
export async function wakeValidation(env: Bindings, id: string, at: string | null, now: Date): Promise<void> {
  if (at !== null) await sendMessages(env.WORK, [{ message: { kind: 'validation', id }, at }], now)
}

/** Wakes validations that are due and have no message. */
export async function sweepValidations(env: Bindings, now: Date): Promise<void> {
  const overdue = await readOverdueValidations(env.DB, new Date(now.getTime() - GRACE_MS).toISOString())
  const wakes = overdue.map((id) => ({ message: { kind: 'validation', id } as const, at: null }))
  await sendMessages(env.WORK, wakes, now)
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
