import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'
import { CalendarDate, text } from '../http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField } from '../http/page.ts'

export const AuditEventsQuery = z.strictObject({
  resource_id: text(60).optional().describe('Only the events of this resource'),
  from_date: CalendarDate.optional().describe('The first day, in UTC'),
  to_date: CalendarDate.optional().describe('The last day, in UTC'),
  limit: limitField(100),
  cursor: cursorField(/^aud_[0-9a-z]{26}$/),
})

const AuditedValue = z.union([z.string(), z.number()]).nullable()

/** The name of a key or a person, beside its id. */
export const NameOfActor = z
  .string()
  .nullable()
  .describe(
    'The name of the person, also after their access ended; or the name of the key, or its first ' +
      'characters if it has none. Null: the service did it, the person was erased, or the key is no ' +
      'longer stored',
  )

/** A field before and after a change. Null: it had no value. */
export const AuditedField = z.strictObject({ old: AuditedValue, new: AuditedValue })

/** The place of an event in the chain of hashes of the account. */
export const AuditSeal = z.strictObject({
  chain: z.int().describe('An account whose books have moved has several chains'),
  position: z.int().describe('From 1'),
  hash: z.string().describe('SHA-256 over the event and the seal before it'),
  sealed_at: Timestamp,
})

export const AuditEvent = z.strictObject({
  id: z.string(),
  key_id: z
    .string()
    .describe('The key or the person that did it. `system`: the service. `creq_…`: a customer, by a link'),
  key_name: NameOfActor,
  action: z.string(),
  resource_id: z.string(),
  changed: z.array(z.string()),
  values: z
    .record(z.string(), AuditedField)
    .nullable()
    .describe('The stored fields that changed. `sha256:…` is the salted hash of personal or secret data'),
  seal: AuditSeal.nullable().describe('Null: the event is sealed within minutes'),
  request_id: z.string(),
  created_at: Timestamp,
})

export const AuditEventsAnswer = z.strictObject({
  audit_events: z.array(AuditEvent),
  last_seals: z
    .array(AuditSeal)
    .describe('The end of each chain of the account. Note it down: a later check must find it unchanged'),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
