import type { Context } from '../context.ts'

/** The most matters in one answer. */
const ATTENTION_MAX = 20

type Attention = { reason: 'webhook_disabled'; resource_id: string; message: string; since: string | null }

/** Matters of the account that somebody should look at: the webhooks that were disabled after failures. */
export async function readAttention({ books, principal }: Context): Promise<Attention[]> {
  const { results } = await books
    .prepare(
      `SELECT id, last_failed_at FROM webhooks
     WHERE account_id = ? AND status = 'disabled' AND consecutive_failures > 0
     ORDER BY id LIMIT ${ATTENTION_MAX}`,
    )
    .bind(principal.account_id)
    .all<{ id: string; last_failed_at: string | null }>()
  return results.map(({ id, last_failed_at }) => ({
    reason: 'webhook_disabled',
    resource_id: id,
    message: 'The webhook was disabled after its failures. Enable it, and recover the missed events',
    since: last_failed_at,
  }))
}
