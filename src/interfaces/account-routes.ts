import type { FurtherMatters } from '../parties/accounts/attention-store.ts'
import { accountRoutesWith } from '../parties/accounts/routes.ts'
import { feature } from '../platform/http/route.ts'

/** Returns that are overdue. The calendar is evaluated at the first request that asks for it. */
export const mattersOfObligations: FurtherMatters = async (context) => {
  const { readOverdueMatters } = await import('../returns/obligations/overdue.ts')
  return readOverdueMatters(context)
}

const serves = ['/v1/account', '/v1/api-keys']

export const accountRoutes = feature(serves, accountRoutesWith(mattersOfObligations))
