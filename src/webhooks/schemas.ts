import * as z from 'zod'
import { EVENT_TYPES } from '../events/event-types.ts'
import { text } from '../http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../http/page.ts'

const Timestamp = z.iso.datetime()
const TYPES = [...EVENT_TYPES.map(({ type }) => type), '*'] as const

const Events = z
  .array(z.enum(TYPES, `is not an event type: choose of ${TYPES.join(', ')}`))
  .min(1, 'must name at least one event type')
  .max(TYPES.length)
  .refine((types) => new Set(types).size === types.length, 'must not name an event type twice')

export const NewWebhook = z.strictObject({
  url: text(2_048),
  events: Events,
  description: text(500).nullish(),
})
export type NewWebhookBody = z.output<typeof NewWebhook>

export const WebhookUpdate = z.strictObject({
  url: text(2_048).optional(),
  events: Events.optional(),
  status: z.enum(['active', 'disabled']).optional(),
  description: text(500).nullish(),
})
export type WebhookUpdateBody = z.output<typeof WebhookUpdate>

const Listed = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  status: z.enum(['active', 'disabled']),
  description: z.string().nullable(),
  consecutive_failures: z.int(),
  last_succeeded_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}
const Whole = { ...Listed, last_failed_at: Timestamp.nullable() }
const Secret = z
  .string()
  .nullable()
  .describe('Shown once. Null when an Idempotency-Key replays the answer: it is kept encrypted only')

export const WebhookAnswer = z.strictObject({ ...Whole, queried_at: Timestamp })
export const NewWebhookAnswer = z.strictObject({ ...Whole, secret: Secret, queried_at: Timestamp })
export const RotatedAnswer = z.strictObject({ id: z.string(), secret: Secret, queried_at: Timestamp })
export const DeletedAnswer = z.strictObject({
  id: z.string(),
  deleted: z.literal(true),
  queried_at: Timestamp,
})
export const WebhooksQuery = z.strictObject(pageFields(100))
export const WebhooksAnswer = z.strictObject({
  webhooks: z.array(z.strictObject(Listed)),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})
export const EventTypesAnswer = z.strictObject({
  events: z.array(z.strictObject({ type: z.string(), description: z.string() })),
  total: z.int(),
  queried_at: Timestamp,
})

export const TestAnswer = z.strictObject({
  webhook_id: z.string(),
  event_id: z.string(),
  success: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  queried_at: Timestamp,
})

const Status = z.enum(['pending', 'succeeded', 'failed', 'expired'])

const Delivery = {
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  status: Status,
  next_attempt_at: Timestamp.nullable().describe('Null once nothing more will be tried'),
  attempts: z.array(
    z.strictObject({
      attempt: z.int(),
      attempted_at: Timestamp,
      response_status: z.int().nullable(),
      error: z.string().nullable(),
      duration_ms: z.int(),
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const DeliveriesQuery = z.strictObject({
  status: Status.optional(),
  limit: pageFields(100).limit,
  cursor: text(60)
    .regex(/^dlv_[0-9a-z]{26}$/, 'is not a cursor of this list')
    .optional(),
})
export const DeliveriesAnswer = z.strictObject({
  deliveries: z.array(z.strictObject(Delivery)),
  limit: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  queried_at: Timestamp,
})
export const DeliveryAnswer = z.strictObject({ ...Delivery, queried_at: Timestamp })
