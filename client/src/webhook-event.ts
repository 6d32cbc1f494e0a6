import type { EventTypeId, webhooks } from './schema.ts'

/** The data of each type of event. */
export type EventData = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json']['data']
}

/**
 * A verified event of a webhook. `switch (event.type)` narrows `event.data`. The id is the same in all
 * deliveries of the event. A newer service may send types that are not in this union, if the webhook
 * subscribes to `*`.
 */
export type WebhookEvent = {
  [Type in keyof EventData]: { id: string; type: Type; timestamp: string; data: EventData[Type] }
}[keyof EventData]

/** A stored event. `switch (event.type)` narrows `event.data`. A newer service may have further types. */
export type AccountEvent = {
  [Type in EventTypeId]: { id: string; type: Type; created_at: string; data: EventData[Type] }
}[EventTypeId]

/** A signed delivery, as the second argument of Request or fetch. */
export type SignedWebhook = { method: 'POST'; headers: Record<string, string>; body: string }
