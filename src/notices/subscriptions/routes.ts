import { EVENT_TYPES } from '../events/event-types.ts'
import { DeletedAnswer } from '../../platform/http/answers.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { listDeliveries, redeliver, sendTestEvent, showDelivery } from './deliveries.ts'
import { listEvents, recoverEvents } from './missed-events.ts'
import {
  DeliveriesAnswer,
  DeliveriesQuery,
  DeliveryAnswer,
  DeliveryWithPayloadAnswer,
  EventsAnswer,
  EventsQuery,
  EventTypesAnswer,
  NewWebhookAnswer,
  NewWebhookRequest,
  RecoverAnswer,
  RecoverRequest,
  RotatedSecretAnswer,
  RotateSecretRequest,
  WebhookAnswer,
  WebhookRequest,
  WebhooksAnswer,
  WebhooksQuery,
  WebhookTestAnswer,
} from './schemas.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateSecret,
  getWebhook,
  updateWebhook,
} from './webhooks.ts'

const reading = { tag: 'Webhooks', method: 'get', scope: 'webhooks:read' } as const
const writing = { tag: 'Webhooks', scope: 'webhooks:write' } as const

export const webhookRoutes: readonly Route[] = [
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks',
    operation: 'createWebhook',
    summary: 'Subscribe a URL to events',
    description:
      'The secret is shown once. The URL must be HTTPS and public. A new host is sent `webhook.challenge`, ' +
      'and gets deliveries once it has answered with its text.',
    errors: ['quota_exceeded', 'too_many_webhooks_of_url'],
    status: 201,
    body: NewWebhookRequest,
    example: {
      url: 'https://hooks.example.com/tax',
      events: ['rate.updated', 'sync.completed'],
      description: 'Rates to the shop',
    },
    answer: NewWebhookAnswer,
    idempotent: true,
    handle: (context, { body }) => createWebhook(context, body),
  }),
  route({
    ...reading,
    path: '/v1/webhooks',
    operation: 'listWebhooks',
    summary: 'List the webhooks',
    query: WebhooksQuery,
    answer: WebhooksAnswer,
    handle: (context, { query }) => listWebhooks(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/events/list',
    operation: 'listEventTypes',
    summary: 'List the event types',
    answer: EventTypesAnswer,
    handle: () => ({ events: EVENT_TYPES, total: EVENT_TYPES.length }),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id',
    operation: 'getWebhook',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Get a webhook',
    answer: WebhookAnswer,
    handle: (context, { params }) => getWebhook(context, params.id),
  }),
  route({
    ...writing,
    method: 'put',
    path: '/v1/webhooks/:id',
    operation: 'updateWebhook',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Change a webhook, or enable it again',
    description:
      '`status: active` resets the count of failures and sends the missed events of the last three days.',
    errors: ['concurrent_change', 'too_many_webhooks_of_url'],
    body: WebhookRequest,
    example: { events: ['*'], status: 'active' },
    answer: WebhookAnswer,
    handle: (context, { params, body }) => updateWebhook(context, params.id, body),
  }),
  route({
    ...writing,
    method: 'delete',
    path: '/v1/webhooks/:id',
    operation: 'deleteWebhook',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Delete a webhook with its deliveries',
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteWebhook(context, params.id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    operation: 'rotateWebhookSecret',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Replace the signing secret at once',
    description:
      'Everything sent from now on is signed with the new secret, also repeated attempts. With ' +
      '`grace_hours`, `webhook-signature` contains the signatures of both secrets for so long.',
    errors: ['concurrent_change'],
    body: RotateSecretRequest,
    body_optional: true,
    example: { grace_hours: 24 },
    answer: RotatedSecretAnswer,
    idempotent: true,
    handle: (context, { params, body }) => rotateSecret(context, params.id, body),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/test',
    operation: 'testWebhook',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Send a test event now',
    description:
      'Returns the answer of the receiver. A test is not recorded, and never counts as a failure. If the ' +
      'host has not confirmed the webhook, it is sent the challenge instead.',
    answer: WebhookTestAnswer,
    handle: (context, { params }) => sendTestEvent(context, params.id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/recover',
    operation: 'recoverWebhookEvents',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Send the missed events of a webhook',
    description:
      'Sends all events since a moment that the webhook never got, e.g. while it was disabled, and those ' +
      'whose deliveries failed, expired or wait. At most 500 of each at once.',
    errors: ['webhook_disabled', 'quota_exceeded'],
    body: RecoverRequest,
    example: { since: '2026-11-20T00:00:00Z' },
    answer: RecoverAnswer,
    idempotent: true,
    handle: (context, { params, body }) => recoverEvents(context, params.id, body),
  }),
  route({
    ...reading,
    path: '/v1/events',
    operation: 'listEvents',
    summary: 'List the events of the last 30 days, the oldest first',
    description:
      'The events for all accounts, and those of this account. Poll with `after` if you cannot ' +
      'receive webhooks.',
    query: EventsQuery,
    answer: EventsAnswer,
    handle: (context, { query }) => listEvents(context, query),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id/deliveries',
    operation: 'listWebhookDeliveries',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'List the deliveries of a webhook with their attempts',
    query: DeliveriesQuery,
    answer: DeliveriesAnswer,
    handle: (context, { params, query }) => listDeliveries(context, params.id, query),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id/deliveries/:delivery_id',
    operation: 'getWebhookDelivery',
    params: { id: 'The id of the webhook, `wh_…`', delivery_id: 'The id of the delivery, `dlv_…`' },
    summary: 'One delivery with its attempts and what it sends',
    answer: DeliveryWithPayloadAnswer,
    handle: (context, { params }) => showDelivery(context, params.id, params.delivery_id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
    operation: 'redeliverWebhookDelivery',
    params: { id: 'The id of the webhook, `wh_…`', delivery_id: 'The id of the delivery, `dlv_…`' },
    summary: 'Send a delivery again, or now if it waits',
    errors: ['webhook_disabled', 'delivery_pending'],
    answer: DeliveryAnswer,
    idempotent: true,
    handle: (context, { params }) => redeliver(context, params.id, params.delivery_id),
  }),
]
