import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { batchAtHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { CHALLENGE } from '../delivery/challenge-event.ts'

/** The delivery that asks a host whether it wants the events of a webhook. */
export type NewChallenge = { delivery_id: string; statements: D1PreparedStatement[] }

/** Whether an address of the same origin has confirmed a webhook of the account, or never had to. */
export async function isKnownHost({ books, principal }: Context, url: string): Promise<boolean> {
  const origin = `${new URL(url).origin}/`
  const known = await books
    .prepare(
      `SELECT 1 AS known FROM webhooks
       WHERE account_id = ?1 AND challenge_id IS NULL AND substr(url, 1, length(?2)) = ?2 LIMIT 1`,
    )
    .bind(principal.account_id, origin)
    .first()
  return known !== null
}

/**
 * A challenge: an event that goes to this webhook alone, and its delivery. Put the statements
 * after the one that writes the webhook. The delivery is repeated like any other.
 */
export function insertChallenge(
  { books, principal, now }: Context,
  webhook_id: string,
  content: { type: string; data: string },
): NewChallenge {
  const at = now.toISOString()
  const { account_id } = principal
  const [event_id, delivery_id] = [newId('evt'), newId('dlv')]
  const event = {
    id: event_id,
    ...content,
    created_at: at,
    fanned_out_at: at,
    owner_account_id: account_id,
  }
  const delivery = {
    id: delivery_id,
    account_id,
    webhook_id,
    event_id,
    status: 'pending' as const,
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }
  return {
    delivery_id,
    statements: [
      ...insertRows(books, 'events', [event]),
      ...insertRows(books, 'webhook_deliveries', [delivery]),
    ],
  }
}

/** The statements that delete a challenge which was answered otherwise, or is replaced by another. */
export function removeChallenge(
  { books, principal }: Context,
  delivery_id: string | null,
): D1PreparedStatement[] {
  if (delivery_id === null) return []
  const bound = [principal.account_id, delivery_id]
  const own = 'SELECT id FROM webhook_deliveries WHERE account_id = ?1 AND id = ?2'
  return [
    books
      .prepare(
        `DELETE FROM events WHERE owner_account_id = ?1 AND type = '${CHALLENGE}' AND id IN
           (SELECT event_id FROM webhook_deliveries WHERE account_id = ?1 AND id = ?2)`,
      )
      .bind(...bound),
    books.prepare(`DELETE FROM webhook_attempts WHERE delivery_id IN (${own})`).bind(...bound),
    books.prepare('DELETE FROM webhook_deliveries WHERE account_id = ?1 AND id = ?2').bind(...bound),
  ]
}

/**
 * Records that the host of a webhook has answered. Its address may have changed since the challenge
 * `delivery_id` was read: then the webhook has another challenge, and nothing happens.
 */
export async function confirmHost(context: Context, webhook_id: string, delivery_id: string): Promise<void> {
  const { books, principal } = context
  await batchAtHome(books, principal.account_id, [
    books
      .prepare('UPDATE webhooks SET challenge_id = NULL WHERE account_id = ? AND id = ? AND challenge_id = ?')
      .bind(principal.account_id, webhook_id, delivery_id),
    ...removeChallenge(context, delivery_id),
  ])
}
