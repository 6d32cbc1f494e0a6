import type { Bindings } from '../../platform/bindings.ts'
import { batchAtHome } from '../../platform/database/home.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { sendMessages } from '../../platform/queue/send.ts'
import { nextAttemptAt, worthAnotherAttempt } from '../customers/vat-validations-store.ts'
import { readAsker, readRequester } from '../vat/requester.ts'
import type { Validation } from '../vat/schemas.ts'
import { validateVatId } from '../vat/validate.ts'
import { type DueId, endLease, keepAnswer, leaseCheck, readDue, sweepChecks } from './store.ts'

/** A check that is overdue by more has lost its message. */
const GRACE_MS = 60_000
/** The questions of an account are counted by the minute, and an authority may be away for so long. */
const MINUTE_MS = 60_000
/** The reason of an answer that no authority was asked for. */
const TOO_MANY = 'too_many_questions'

/** Sends the message for the next questions of a check. */
export async function wakeCheck(
  env: Bindings,
  { number: shard }: Pick<Shard, 'number'>,
  { id, at }: { id: string; at: string | null },
  now: Date,
): Promise<void> {
  await sendMessages(env.VALIDATIONS, [{ message: { kind: 'vat_check', id, shard }, at }], now)
}

/** Wakes checks that are due and have no message, and deletes old ones. */
export async function sweepVatChecks(env: Bindings, shard: Shard, now: Date): Promise<void> {
  const overdue = await sweepChecks(shard.books, new Date(now.getTime() - GRACE_MS), now)
  const wakes = overdue.map((id) => ({
    message: { kind: 'vat_check', id, shard: shard.number } as const,
    at: null,
  }))
  await sendMessages(env.VALIDATIONS, wakes, now)
}

/**
 * Asks the authorities about the next ids of a check, if it is due, and sends the message for those after
 * them. If this dies, the lease ends and the sweep goes on.
 */
export async function runVatCheck(env: Bindings, shard: Shard, id: string, now: Date): Promise<void> {
  const { books } = shard
  const check = await leaseCheck(books, id, now)
  if (check === null) return
  const { account_id, requester_vat_id } = check
  const asker = await readAsker(env.DB, account_id)
  const requester = requester_vat_id === null ? asker.requester : readRequester(requester_vat_id, null)
  const answers = await Promise.all(
    check.due.map(async (due) => {
      const { vat_id, country } = due
      return { due, said: await validateVatId(env, { vat_id, country, requester, asker }, now) }
    }),
  )
  const late = now.getTime() - Date.parse(check.created_at) > DAY_MS
  // The others wait too: while an authority is away, each would only use up one of its attempts.
  const waits = answers.some(({ said }) => worthAnotherAttempt(said))
  const from = new Date(now.getTime() + (waits ? MINUTE_MS : 0)).toISOString()
  try {
    await batchAtHome(books, account_id, [
      ...answers
        .filter(({ said }) => late || said.reason !== TOO_MANY)
        .map(({ due, said }) => keepAnswer(books, id, due, said, late ? null : nextOf(due, said, now))),
      endLease(books, id, now.toISOString(), from),
    ])
  } catch (thrown) {
    // The account moves to another database, whose sweep goes on.
    if (!(thrown instanceof ApiError)) throw thrown
    return
  }
  const at = await readDue(books, id)
  if (at !== null) await wakeCheck(env, shard, { id, at }, now)
}

function nextOf({ attempts }: DueId, said: Validation, now: Date): string | null {
  return worthAnotherAttempt(said) ? nextAttemptAt(attempts + 1, now) : null
}
