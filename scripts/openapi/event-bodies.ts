import * as z from 'zod'
import { EVENT_TYPES, EVENTS } from '../../src/notices/events/event-types.ts'
import { WebhookChallenge, WebhookTest } from '../../src/notices/events/schemas.ts'
import { Timestamp } from '../../src/platform/http/answers.ts'

/** An event as a webhook receives it. */
type SentEvent = { type: string; description: string; body: z.ZodObject }

/** The events that can be subscribed to, the one that asks a new host, and the one that tests a webhook. */
export const SENT_EVENTS: readonly SentEvent[] = [
  ...EVENT_TYPES.map(({ type, description }) => sentEvent(type, description, EVENTS[type].data)),
  sentEvent(
    'webhook.challenge',
    'Asks a new host whether it wants the events. The answer must be the text `challenge`',
    WebhookChallenge,
  ),
  sentEvent('webhook.test', 'A test event, sent by `POST /v1/webhooks/{id}/test`', WebhookTest),
]

function sentEvent(type: string, description: string, data: z.ZodType): SentEvent {
  const body = z.strictObject({
    id: z.string().describe('The id of the event, the same for every attempt. The signature covers it'),
    event: z.literal(type),
    timestamp: Timestamp.describe('When it happened'),
    data,
  })
  return { type, description, body }
}

/** The name of the body: `RateUpdatedEvent` for `rate.updated`. */
export function eventSchemaName(type: string): string {
  return `${inPascalCase(type)}Event`
}

/** `onRateUpdated` for `rate.updated`. */
export function eventOperationId(type: string): string {
  return `on${inPascalCase(type)}`
}

function inPascalCase(type: string): string {
  return type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
