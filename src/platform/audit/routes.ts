import type * as z from 'zod'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import { cursorPage } from '../http/page.ts'
import { feature, route } from '../http/route.ts'
import { AuditEventsAnswer, AuditEventsQuery } from './schemas.ts'
import { readActorNames } from './actor-names-store.ts'
import { listAuditEvents, readLastSeals } from './store.ts'

const serves = ['/v1/audit-events']

export const auditRoutes = feature(serves, [
  route({
    method: 'get',
    path: '/v1/audit-events',
    operation: 'listAuditEvents',
    client: 'auditEvents.list',
    scope: 'audit:read',
    tag: 'Audit',
    summary: 'List who changed what and when, newest first',
    description:
      'A job seals new events within minutes in a chain of SHA-256 hashes, so a later change or ' +
      'deletion is noticed.',
    query: AuditEventsQuery,
    answer: AuditEventsAnswer,
    handle: (context, { query }) => listPage(context, query),
  }),
])

async function listPage(
  context: Context,
  query: z.output<typeof AuditEventsQuery>,
): Promise<Answer<typeof AuditEventsAnswer>> {
  const limit = query.limit ?? 50
  const [events, last_seals] = await Promise.all([
    listAuditEvents(context, { ...query, limit: limit + 1 }),
    readLastSeals(context),
  ])
  const { rows, ...page } = cursorPage(events, limit, ({ id }) => id)
  const names = await readActorNames(
    context,
    rows.map(({ key_id }) => key_id),
  )
  const audit_events = rows.map((row) => ({ ...row, key_name: names.get(row.key_id) ?? null }))
  return { audit_events, last_seals, ...page }
}
