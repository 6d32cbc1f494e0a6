import * as z from 'zod'
import { EVENT_TYPE_IDS } from '../events/event-types.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { Moment, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, PAGE_ANSWER, cursorField, limitField, pageFields } from '../../platform/http/page.ts'
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../../platform/database/values/webhook-statuses.ts'

const SUBSCRIBED = [...EVENT_TYPE_IDS, '*'] as const

/** A type of event, or `*` for all of them. */
export const SubscribedEvent = z.enum(SUBSCRIBED, `must be one of ${SUBSCRIBED.join(', ')}`)
export const EventTypeId = z.enum(EVENT_TYPE_IDS)
export const WebhookStatus = z.enum(WEBHOOK_STATUSES)
export const DeliveryStatus = z.enum(DELIVERY_STATUSES)

const Events = z
  .array(SubscribedEvent)
  .min(1, 'must name at least one event type')
  .max(SUBSCRIBED.length)
  .refine((types) => new Set(types).size === types.length, 'must not name an event type twice')

const Url = text(2_048).describe('HTTPS, with a public host name, on port 443 or 8443')

export const NewWebhookRequest = z.strictObject({
  url: Url,
  events: Events,
  description: text(500).nullish(),
})
export type NewWebhookBody = z.output<typeof NewWebhookRequest>

export const WebhookRequest = z.strictObject({
  url: Url.optional(),
  events: Events.optional(),
  status: WebhookStatus.optional().describe('`active` resets the count of failures'),
  description: text(500).nullish(),
})
export type WebhookUpdateBody = z.output<typeof WebhookRequest>

const LISTED = {
  id: z.string(),
  url: z.string(),
  events: z.array(SubscribedEvent),
  status: WebhookStatus,
  confirmed: z
    .boolean()
    .describe('False until the host has answered the challenge. Until then, deliveries wait'),
  description: z.string().nullable(),
  consecutive_failures: z.int(),
  last_succeeded_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}
const PREVIOUS_UNTIL = Timestamp.nullable().describe(
  'Until when the secret before the last rotation also signs, in `webhook-signature`; null: it does not',
)
const WEBHOOK = {
  ...LISTED,
  last_failed_at: Timestamp.nullable(),
  previous_secret_until: PREVIOUS_UNTIL,
}
const Secret = z
  .string()
  .nullable()
  .describe(
    'Shown once. Null if an Idempotency-Key replays the answer, because the secret is only stored encrypted',
  )

/** A webhook as lists show it. */
export const ListedWebhook = z.strictObject(LISTED)

export const WebhookAnswer = z.strictObject({ ...WEBHOOK, queried_at: Timestamp })

export const NewWebhookAnswer = z.strictObject({ ...WEBHOOK, secret: Secret, queried_at: Timestamp })

export const RotatedSecretAnswer = z.strictObject({
  id: z.string(),
  secret: Secret,
  previous_secret_until: PREVIOUS_UNTIL,
  queried_at: Timestamp,
})

export const RotateSecretRequest = z.strictObject({
  grace_hours: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(72, 'must be at most 72')
    .optional()
    .describe(
      'How many hours the old secret also signs in `webhook-signature`. Default: all old secrets end at ' +
        'once. Refused until the overlap of an earlier rotation has ended, see `previous_secret_until`',
    ),
})
export type RotateSecretBody = z.output<typeof RotateSecretRequest>

export const RecoverRequest = z.strictObject({
  since: Moment.describe('The moment of the first event to send again, at most 30 days ago'),
})
export type RecoverBody = z.output<typeof RecoverRequest>

export const RecoverAnswer = z.strictObject({
  webhook_id: z.string(),
  since: Timestamp,
  recovered: z.int().describe('The deliveries that are sent now'),
  has_more: z.boolean().describe('Whether more remain: call again'),
  queried_at: Timestamp,
})

/** An event of the last 30 days. */
export const ListedEvent = z.strictObject({
  id: z.string(),
  type: EventTypeId,
  created_at: Timestamp,
  data: z.record(z.string(), z.unknown()),
})

const AFTER = 'must be the id of an event or a timestamp'

export const EventsQuery = z.strictObject({
  type: EventTypeId.optional().describe('Only events of this type'),
  after: text(40)
    .regex(/^evt_[0-9a-z]{26}$|^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/, AFTER)
    .optional()
    .describe('Only events after this one: `next_after` of the last page, or a timestamp'),
  limit: limitField(100),
})

export const EventsAnswer = z.strictObject({
  events: z.array(ListedEvent),
  limit: z.int(),
  has_more: z.boolean(),
  next_after: z
    .string()
    .nullable()
    .describe('The id of the last event. It is never null if there are events'),
  queried_at: Timestamp,
})

export const WebhooksQuery = z.strictObject(pageFields(100))

export const WebhooksAnswer = z.strictObject({
  webhooks: z.array(ListedWebhook),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

export const EventType = z.strictObject({ type: EventTypeId, description: z.string() })

export const EventTypesAnswer = z.strictObject({
  events: z.array(EventType),
  total: z.int(),
  queried_at: Timestamp,
})

export const WebhookTestAnswer = z.strictObject({
  webhook_id: z.string(),
  event_id: z.string(),
  success: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  sent_now: z.int().describe('After a success: the deliveries that waited and are sent now'),
  queried_at: Timestamp,
})

export const DeliveryAttempt = z.strictObject({
  attempt: z.int(),
  attempted_at: Timestamp,
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

const DELIVERY = {
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  subject: z.string().nullable().describe('Your reference of the sale, or the id of what the event is about'),
  status: DeliveryStatus,
  next_attempt_at: Timestamp.nullable().describe('Null if there will be no further attempt'),
  attempts: z.array(DeliveryAttempt),
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A delivery of an event to one webhook. */
export const Delivery = z.strictObject(DELIVERY)

export const DeliveriesQuery = z.strictObject({
  status: DeliveryStatus.optional().describe('Only deliveries with this status'),
  limit: limitField(100),
  cursor: cursorField(/^dlv_[0-9a-z]{26}$/),
})

export const DeliveriesAnswer = z.strictObject({
  deliveries: z.array(Delivery),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

export const DeliveryAnswer = z.strictObject({ ...DELIVERY, queried_at: Timestamp })

/** The body of an event, as every attempt sends it. */
export const SentEvent = z.strictObject({
  id: z.string(),
  event: z.string(),
  timestamp: Timestamp,
  data: z.record(z.string(), z.unknown()),
})

/** A delivery with what it sends. */
export const DeliveryWithPayloadAnswer = z.strictObject({
  ...DELIVERY,
  payload: SentEvent.describe('The body that is sent'),
  queried_at: Timestamp,
})
