import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'
import { CalendarDate, text } from '../http/fields.ts'
import { cursorField, limitField } from '../http/page.ts'

export const AuditEventsQuery = z.strictObject({
  resource_id: text(60).optional().describe('Only the events of this resource'),
  from_date: CalendarDate.optional().describe('The first day, in UTC'),
  to_date: CalendarDate.optional().describe('The last day, in UTC'),
  limit: limitField(100),
  cursor: cursorField(/^aud_[0-9a-z]{26}$/),
})

export const AuditEvent = z.strictObject({
  id: z.string(),
  key_id: z.string(),
  action: z.string(),
  resource_id: z.string(),
  changed: z.array(z.string()),
  request_id: z.string(),
  created_at: Timestamp,
})

export const AuditEventsAnswer = z.strictObject({
  audit_events: z.array(AuditEvent),
  limit: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  queried_at: Timestamp,
})
