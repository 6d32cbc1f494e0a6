/**
 * A new host is asked once whether it wants the events of an account. So nobody subscribes a host that is
 * not theirs. The challenge is a delivery like any other: signed, repeated, and moved with the books.
 * While its id is in the row of the webhook, the webhook gets no other delivery. They wait, and expire
 * after three days.
 */
import type { Bindings } from '../../platform/bindings.ts'
import type { Context } from '../../platform/context.ts'
import { challengeEvent } from '../delivery/challenge-event.ts'
import { insertChallenge, isKnownHost, type NewChallenge } from './challenge-store.ts'
import { allowsLocal } from '../delivery/target.ts'

/**
 * A challenge for the host of a URL. Null if the host need not answer: the account has another webhook there
 * that needs no answer, or the operator asks no hosts.
 */
export async function challengeFor(
  context: Context,
  webhook_id: string,
  url: string,
): Promise<NewChallenge | null> {
  if (!asksHosts(context.env) || (await isKnownHost(context, url))) return null
  return insertChallenge(context, webhook_id, challengeEvent(webhook_id))
}

function asksHosts(env: Bindings): boolean {
  return env.WEBHOOK_CHALLENGES !== 'off' && !allowsLocal(env)
}
