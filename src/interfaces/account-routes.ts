import type { FurtherMatters } from '../parties/accounts/attention-store.ts'
import { accountRoutesWith } from '../parties/accounts/routes.ts'
import { feature } from '../platform/http/route.ts'
import { late } from '../platform/kit/late.ts'

/** The calendar is evaluated at the first request that asks for it. */
const overdue = late(() => import('../returns/obligations/overdue.ts'))

/** Returns that are overdue. */
export const mattersOfObligations: FurtherMatters = async (context) => {
  const { readOverdueMatters } = await overdue.load()
  return readOverdueMatters(context)
}

const serves = ['/v1/account', '/v1/api-keys']

export const accountRoutes = feature(serves, accountRoutesWith(mattersOfObligations))
