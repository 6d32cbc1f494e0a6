import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type {
  DeletedAnswer,
  DeliveriesAnswer,
  DeliveryAnswer,
  DeliveryWithPayloadAnswer,
  EventTypeId,
  EventTypesAnswer,
  EventsAnswer,
  NewWebhookAnswer,
  NewWebhookRequest,
  RecoverAnswer,
  RecoverRequest,
  RotateSecretRequest,
  RotatedSecretAnswer,
  WebhookAnswer,
  WebhookRequest,
  WebhookTestAnswer,
  WebhooksAnswer,
} from '../schema.ts'
import type { EventData } from '../webhook-event.ts'

/** Subscriptions to events, and their deliveries. */
export function webhooks(http: Http) {
  return {
    /** Subscribes an address. The answer is the only place that shows the secret. */
    create: (webhook: NewWebhookRequest, options: WriteOptions = {}) =>
      answerOf<NewWebhookAnswer>(http.POST('/v1/webhooks', { body: webhook, ...sent(options) })),

    list: (query: QueryOf<'getWebhooks'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<WebhooksAnswer>(
            http.GET('/v1/webhooks', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        (answer) => answer.webhooks,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf<WebhookAnswer>(http.GET('/v1/webhooks/{id}', { params: { path: { id } }, ...sent(options) })),

    update: (id: string, change: WebhookRequest, options: CallOptions = {}) =>
      answerOf<WebhookAnswer>(
        http.PUT('/v1/webhooks/{id}', { params: { path: { id } }, body: change, ...sent(options) }),
      ),

    delete: (id: string, options: CallOptions = {}) =>
      answerOf<DeletedAnswer>(
        http.DELETE('/v1/webhooks/{id}', { params: { path: { id } }, ...sent(options) }),
      ),

    /** The types of events that a webhook can subscribe to. */
    eventTypes: (options: CallOptions = {}) =>
      answerOf<EventTypesAnswer>(http.GET('/v1/webhooks/events/list', sent(options))),

    rotateSecret: (id: string, change: RotateSecretRequest = {}, options: WriteOptions = {}) =>
      answerOf<RotatedSecretAnswer>(
        http.POST('/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id } },
          body: change,
          ...sent(options),
        }),
      ),

    /** Sends a `webhook.test` event now. */
    test: (id: string, options: CallOptions = {}) =>
      answerOf<WebhookTestAnswer>(
        http.POST('/v1/webhooks/{id}/test', { params: { path: { id } }, ...sent(options) }),
      ),

    /** Sends again what the webhook missed. */
    recover: (id: string, period: RecoverRequest, options: WriteOptions = {}) =>
      answerOf<RecoverAnswer>(
        http.POST('/v1/webhooks/{id}/recover', { params: { path: { id } }, body: period, ...sent(options) }),
      ),

    deliveries: (id: string, query: QueryOf<'getWebhooksIdDeliveries'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<DeliveriesAnswer>(
            http.GET('/v1/webhooks/{id}/deliveries', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.deliveries,
      ),

    /** A delivery with what was sent. */
    delivery: (id: string, deliveryId: string, options: CallOptions = {}) =>
      answerOf<DeliveryWithPayloadAnswer>(
        http.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', {
          params: { path: { id, deliveryId } },
          ...sent(options),
        }),
      ),

    redeliver: (id: string, deliveryId: string, options: WriteOptions = {}) =>
      answerOf<DeliveryAnswer>(
        http.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
          params: { path: { id, deliveryId } },
          ...sent(options),
        }),
      ),
  }
}

/** A stored event. `switch (event.type)` narrows `event.data`. A newer service may have further types. */
export type AccountEvent = {
  [Type in EventTypeId]: { id: string; type: Type; created_at: string; data: EventData[Type] }
}[EventTypeId]

/** The events of the account, oldest first, for programs that ask instead of listening. */
export function events(http: Http) {
  return {
    list: (query: QueryOf<'getEvents'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf<EventsAnswer>(
            http.GET('/v1/events', { params: { query: { ...query, ...next } }, ...sent(options) }),
          ),
        // The service stores the data that it sends to webhooks.
        (answer) => answer.events as AccountEvent[],
      ),
  }
}
