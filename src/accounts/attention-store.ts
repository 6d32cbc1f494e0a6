import type { Context } from '../context.ts'

/** The most matters in one answer. */
const ATTENTION_MAX = 20

type Attention = {
  reason: 'webhook_disabled' | 'account_moving'
  resource_id: string
  message: string
  since: string | null
}

/**
 * Matters of the account that somebody should look at: a move of its books that has not ended, and the
 * webhooks that were disabled after failures.
 */
export async function readAttention(context: Context): Promise<Attention[]> {
  const [moves, webhooks] = await Promise.all([readUnfinishedMove(context), readDisabled(context)])
  return [...moves, ...webhooks]
}

async function readUnfinishedMove({ env, principal }: Context): Promise<Attention[]> {
  const { results } = await env.DB.prepare(
    `SELECT started_at, closed_at FROM account_moves
     WHERE account_id = ? AND finished_at IS NULL AND aborted_at IS NULL`,
  )
    .bind(principal.account_id)
    .all<{ started_at: string; closed_at: string | null }>()
  return results.map(({ started_at, closed_at }) => ({
    reason: 'account_moving',
    resource_id: principal.account_id,
    message:
      closed_at === null
        ? 'The books are about to move to another database: writes will be refused for some seconds'
        : 'The books are being moved to another database: writes are refused until that ends',
    since: closed_at ?? started_at,
  }))
}

async function readDisabled({ books, principal }: Context): Promise<Attention[]> {
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
