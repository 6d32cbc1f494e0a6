import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import type { DismissedOrderAnswer, RefusedOrdersAnswer, RefusedOrdersQuery } from './install-schemas.ts'
import {
  dismissRefusedOrder,
  dropOldDismissals,
  findRefusedOrder,
  listRefusedOrders,
} from './refused-orders-store.ts'
import { findInstall } from './store.ts'

/** The orders of a shop that are not in the books, because they were refused. Throws not_found. */
export async function refusedOrdersOf(
  context: Context,
  install_id: string,
  { limit = 50, offset = 0 }: z.output<typeof RefusedOrdersQuery>,
): Promise<Answer<typeof RefusedOrdersAnswer>> {
  await findInstall(context, install_id)
  const { rows, total } = await listRefusedOrders(context, install_id, { limit, offset })
  const orders = rows.map(({ order_id, number, reason, field, since, tried_at }) => ({
    order_id,
    number,
    reason,
    field,
    since,
    tried_at,
  }))
  return { orders, ...pageOf(total, limit, offset) }
}

/** Says that the books need not have an order. It is passed until the shop changes it. Throws not_found. */
export async function dismissOrder(
  context: Context,
  install_id: string,
  order_id: string,
): Promise<Answer<typeof DismissedOrderAnswer>> {
  const row = await findRefusedOrder(context, install_id, order_id)
  if (row === null) throw new ApiError('not_found')
  const at = context.now.toISOString()
  const answer = { order_id, dismissed: true } as const
  await commit(context, {
    changes: [
      ...guarded(context.env.DB, dismissRefusedOrder(context, row, at), 'not_found'),
      dropOldDismissals(context, install_id),
    ],
    audit: {
      action: 'saleor_order.dismissed',
      resource_id: install_id,
      changed: ['dismissed_at'],
      values: { order_id: { old: null, new: order_id }, dismissed_at: { old: null, new: at } },
    },
    answer,
  })
  return answer
}
