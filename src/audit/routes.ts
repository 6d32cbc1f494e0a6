import type * as z from 'zod'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import { type Route, route } from '../http/route.ts'
import { AuditEventsAnswer, AuditEventsQuery } from './schemas.ts'
import { listAuditEvents } from './store.ts'

export const auditRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/audit-events',
    scope: 'audit:read',
    tag: 'Audit',
    summary: 'List who changed what and when, newest first',
    query: AuditEventsQuery,
    answer: AuditEventsAnswer,
    handle: (context, { query }) => listPage(context, query),
  }),
]

async function listPage(
  context: Context,
  query: z.output<typeof AuditEventsQuery>,
): Promise<Answer<typeof AuditEventsAnswer>> {
  const limit = query.limit ?? 50
  const events = await listAuditEvents(context, { ...query, limit: limit + 1 })
  const shown = events.slice(0, limit)
  const more = events.length > limit
  return { audit_events: shown, limit, has_more: more, next_cursor: more ? (shown.at(-1)?.id ?? null) : null }
}
