import type { Context } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { saleor_refused_orders } from '../../platform/database/tables/saleor.ts'
import type { InstallRow } from './store.ts'

type RefusedOrderRow = typeof saleor_refused_orders.$inferSelect

type Shop = Pick<InstallRow, 'id' | 'account_id'>

/** The most refused orders of a shop that are not dismissed. At so many the catch-up waits. */
export const REFUSED_MAX = 1_000
/** The most dismissed orders of a shop that are kept, so that they are not told again. */
const DISMISSED_MAX = 1_000

/** The ids of open refused orders, the longest untried first, and of others when they were dismissed. */
export type RefusedOrders = { open: Set<string>; dismissed: Map<string, string> }

/** The refused orders of a shop. */
export async function readRefusedOrders(control: ControlDb, shop: Shop): Promise<RefusedOrders> {
  const { results } = await control
    .prepare(
      `SELECT order_id, dismissed_at FROM saleor_refused_orders WHERE account_id = ? AND install_id = ?
       ORDER BY tried_at, order_id LIMIT ${REFUSED_MAX + DISMISSED_MAX}`,
    )
    .bind(shop.account_id, shop.id)
    .all<Pick<RefusedOrderRow, 'order_id' | 'dismissed_at'>>()
  const found: RefusedOrders = { open: new Set(), dismissed: new Map() }
  for (const { order_id, dismissed_at } of results)
    if (dismissed_at === null) found.open.add(order_id)
    else found.dismissed.set(order_id, dismissed_at)
  return found
}

/** Forgets the refused orders of shops that are not connected: the release before leaves them behind. */
export async function dropOrphanedOrders(control: ControlDb): Promise<void> {
  await control
    .prepare(
      `DELETE FROM saleor_refused_orders
       WHERE NOT EXISTS (SELECT 1 FROM saleor_installs WHERE id = install_id)`,
    )
    .run()
}

/** Keeps a refusal, while the shop is connected. A later one leaves since when, and ends a dismissal. */
export async function keepRefusedOrder(
  control: ControlDb,
  { id, account_id }: Shop,
  { order_id, number, reason, field }: Pick<RefusedOrderRow, 'order_id' | 'number' | 'reason' | 'field'>,
  now: string,
): Promise<void> {
  await control
    .prepare(
      `INSERT INTO saleor_refused_orders
         (install_id, order_id, account_id, number, reason, field, since, tried_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 FROM saleor_installs WHERE account_id = ?3 AND id = ?1
       ON CONFLICT (install_id, order_id) DO UPDATE
         SET number = excluded.number, reason = excluded.reason, field = excluded.field,
           tried_at = excluded.tried_at, dismissed_at = NULL`,
    )
    .bind(id, order_id, account_id, number, reason, field, now)
    .run()
}

/** Says that refused orders are tried now: one that stops the run, or was deleted, loses its turn. */
export async function markTried(
  control: ControlDb,
  { id, account_id }: Shop,
  order_ids: readonly string[],
  now: string,
): Promise<void> {
  await control
    .prepare(
      `UPDATE saleor_refused_orders SET tried_at = ?
       WHERE account_id = ? AND install_id = ? AND order_id IN (SELECT value FROM json_each(?))`,
    )
    .bind(now, account_id, id, JSON.stringify(order_ids))
    .run()
}

/** Forgets a refused order of a shop, because the books have it now. */
export async function dropRefusedOrder(
  control: ControlDb,
  { id, account_id }: Shop,
  order_id: string,
): Promise<void> {
  await control
    .prepare('DELETE FROM saleor_refused_orders WHERE account_id = ? AND install_id = ? AND order_id = ?')
    .bind(account_id, id, order_id)
    .run()
}

/** The statement that forgets all refused orders of a shop. */
export function dropRefusedOrdersOf({ env, principal }: Context, install_id: string): D1PreparedStatement {
  return env.DB.prepare('DELETE FROM saleor_refused_orders WHERE account_id = ? AND install_id = ?').bind(
    principal.account_id,
    install_id,
  )
}

/** The refused orders of a shop that are not dismissed, the newest first, and how many there are. */
export async function listRefusedOrders(
  { env, principal }: Context,
  install_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RefusedOrderRow[]; total: number }> {
  const those = 'FROM saleor_refused_orders WHERE account_id = ? AND install_id = ? AND dismissed_at IS NULL'
  const [rows, counted] = await env.DB.batch([
    env.DB.prepare(`SELECT * ${those} ORDER BY since DESC, order_id LIMIT ? OFFSET ?`).bind(
      principal.account_id,
      install_id,
      limit,
      offset,
    ),
    env.DB.prepare(`SELECT count(*) AS total ${those}`).bind(principal.account_id, install_id),
  ])
  const [{ total } = { total: 0 }] = rowsOf<{ total: number }>(counted)
  return { rows: rowsOf<RefusedOrderRow>(rows), total }
}

/** A refused order that is not dismissed; null if there is none. */
export async function findRefusedOrder(
  { env, principal }: Context,
  install_id: string,
  order_id: string,
): Promise<RefusedOrderRow | null> {
  return env.DB.prepare(
    `SELECT * FROM saleor_refused_orders
     WHERE account_id = ? AND install_id = ? AND order_id = ? AND dismissed_at IS NULL`,
  )
    .bind(principal.account_id, install_id, order_id)
    .first<RefusedOrderRow>()
}

/**
 * The statement that dismisses a refused order. It changes no row if that is done, or the books have the
 * order.
 */
export function dismissRefusedOrder(
  { env, principal }: Context,
  { install_id, order_id }: RefusedOrderRow,
  at: string,
): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE saleor_refused_orders SET dismissed_at = ?
     WHERE account_id = ? AND install_id = ? AND order_id = ? AND dismissed_at IS NULL`,
  ).bind(at, principal.account_id, install_id, order_id)
}

/** The statement that forgets the dismissed orders of a shop but the latest. */
export function dropOldDismissals({ env, principal }: Context, install_id: string): D1PreparedStatement {
  return env.DB.prepare(
    `DELETE FROM saleor_refused_orders WHERE account_id = ?1 AND install_id = ?2 AND order_id IN
       (SELECT order_id FROM saleor_refused_orders
        WHERE account_id = ?1 AND install_id = ?2 AND dismissed_at IS NOT NULL
        ORDER BY dismissed_at DESC, order_id LIMIT -1 OFFSET ${DISMISSED_MAX})`,
  ).bind(principal.account_id, install_id)
}

/** How many orders of each shop of the account are refused and not dismissed. */
export async function countRefusedOrders({ env, principal }: Context): Promise<Map<string, number>> {
  const { results } = await env.DB.prepare(
    `SELECT install_id, count(*) AS n FROM saleor_refused_orders
     WHERE account_id = ? AND dismissed_at IS NULL GROUP BY install_id`,
  )
    .bind(principal.account_id)
    .all<{ install_id: string; n: number }>()
  return new Map(results.map(({ install_id, n }) => [install_id, n]))
}
