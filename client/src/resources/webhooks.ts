import { answerOf, type CallOptions, type Http, type QueryOf, sent, type WriteOptions } from '../call.ts'
import { listOf } from '../list.ts'
import type { NewWebhookRequest, RecoverRequest, RotateSecretRequest, WebhookRequest } from '../schema.ts'

/** Subscriptions to events, and their deliveries. */
export function webhooks(http: Http) {
  return {
    /** Subscribes an address. The answer is the only place that shows the secret. */
    create: (webhook: NewWebhookRequest, options: WriteOptions = {}) =>
      answerOf(http.POST('/v1/webhooks', { body: webhook, ...sent(options) })),

    list: (query: QueryOf<'getWebhooks'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf(http.GET('/v1/webhooks', { params: { query: { ...query, ...next } }, ...sent(options) })),
        (answer) => answer.webhooks,
      ),

    get: (id: string, options: CallOptions = {}) =>
      answerOf(http.GET('/v1/webhooks/{id}', { params: { path: { id } }, ...sent(options) })),

    update: (id: string, change: WebhookRequest, options: CallOptions = {}) =>
      answerOf(http.PUT('/v1/webhooks/{id}', { params: { path: { id } }, body: change, ...sent(options) })),

    delete: (id: string, options: CallOptions = {}) =>
      answerOf(http.DELETE('/v1/webhooks/{id}', { params: { path: { id } }, ...sent(options) })),

    /** The types of events that a webhook can subscribe to. */
    eventTypes: (options: CallOptions = {}) => answerOf(http.GET('/v1/webhooks/events/list', sent(options))),

    rotateSecret: (id: string, change: RotateSecretRequest = {}, options: WriteOptions = {}) =>
      answerOf(
        http.POST('/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id } },
          body: change,
          ...sent(options),
        }),
      ),

    /** Sends a `webhook.test` event now. */
    test: (id: string, options: CallOptions = {}) =>
      answerOf(http.POST('/v1/webhooks/{id}/test', { params: { path: { id } }, ...sent(options) })),

    /** Sends again what the webhook missed. */
    recover: (id: string, period: RecoverRequest, options: WriteOptions = {}) =>
      answerOf(
        http.POST('/v1/webhooks/{id}/recover', { params: { path: { id } }, body: period, ...sent(options) }),
      ),

    deliveries: (id: string, query: QueryOf<'getWebhooksIdDeliveries'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf(
            http.GET('/v1/webhooks/{id}/deliveries', {
              params: { path: { id }, query: { ...query, ...next } },
              ...sent(options),
            }),
          ),
        (answer) => answer.deliveries,
      ),

    redeliver: (id: string, deliveryId: string, options: WriteOptions = {}) =>
      answerOf(
        http.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
          params: { path: { id, deliveryId } },
          ...sent(options),
        }),
      ),
  }
}

/** The events of the account, for programs that ask instead of listening. */
export function events(http: Http) {
  return {
    list: (query: QueryOf<'getEvents'> = {}, options: CallOptions = {}) =>
      listOf(
        (next) =>
          answerOf(http.GET('/v1/events', { params: { query: { ...query, ...next } }, ...sent(options) })),
        (answer) => answer.events,
      ),
  }
}
