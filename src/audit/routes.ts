import * as z from 'zod'
import type { Context } from '../context.ts'
import { CalendarDate, text } from '../http/fields.ts'
import { pageFields } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import { listAuditEvents } from './store.ts'

const Query = z.strictObject({
  resource_id: text(60).optional(),
  from_date: CalendarDate.optional(),
  to_date: CalendarDate.optional(),
  limit: pageFields(100).limit,
  cursor: text(60)
    .regex(/^aud_[0-9a-z]{26}$/, 'is not a cursor of this list')
    .optional(),
})

const AuditEvent = z.strictObject({
  id: z.string(),
  key_id: z.string(),
  action: z.string(),
  resource_id: z.string(),
  changed: z.array(z.string()),
  request_id: z.string(),
  created_at: z.iso.datetime(),
})

export const auditRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/audit-events',
    scope: 'audit:read',
    tag: 'Audit',
    summary: 'Who changed what and when, newest first',
    query: Query,
    answer: z.strictObject({
      audit_events: z.array(AuditEvent),
      limit: z.int(),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
      queried_at: z.iso.datetime(),
    }),
    handle: (context, { query }) => page(context, query),
  }),
]

async function page(context: Context, query: z.output<typeof Query>): Promise<object> {
  const limit = query.limit ?? 50
  const events = await listAuditEvents(context.env.DB, context.principal.account_id, {
    ...query,
    limit: limit + 1,
  })
  const shown = events.slice(0, limit)
  const more = events.length > limit
  return { audit_events: shown, limit, has_more: more, next_cursor: more ? (shown.at(-1)?.id ?? null) : null }
}
