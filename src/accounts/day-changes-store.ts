import type { Context } from '../context.ts'

/** Asks for a move of the account's sales to the days of a time zone. A later request replaces it. */
export function requestDayChange({ env, principal, now }: Context, time_zone: string): D1PreparedStatement {
  return env.DB.prepare(
    `INSERT INTO day_changes (account_id, time_zone, requested_at, after) VALUES (?, ?, ?, '')
     ON CONFLICT DO UPDATE SET time_zone = excluded.time_zone, requested_at = excluded.requested_at,
       after = ''`,
  ).bind(principal.account_id, time_zone, now.toISOString())
}

/** Whether the account's sales are being moved to the days of a new time zone. */
export async function isMovingDays({ env, principal }: Context): Promise<boolean> {
  const row = await env.DB.prepare('SELECT 1 FROM day_changes WHERE account_id = ?')
    .bind(principal.account_id)
    .first()
  return row !== null
}
