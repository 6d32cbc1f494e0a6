import type { FurtherMatters } from '../parties/accounts/attention-store.ts'
import { accountRoutesWith } from '../parties/accounts/routes.ts'

/** Returns that are overdue. The calendar is evaluated at the first request that asks for it. */
export const mattersOfObligations: FurtherMatters = async (context) => {
  const { readOverdueMatters } = await import('../returns/obligations/overdue.ts')
  return readOverdueMatters(context)
}

export const accountRoutes = accountRoutesWith(mattersOfObligations)
