import { EVENT_TYPES } from '../events/event-types.ts'
import { DeletedAnswer } from '../http/answers.ts'
import { type Route, route } from '../http/route.ts'
import { listDeliveries, redeliver, testWebhook } from './deliveries.ts'
import {
  DeliveriesAnswer,
  DeliveriesQuery,
  DeliveryAnswer,
  EventTypesAnswer,
  NewWebhookAnswer,
  NewWebhookRequest,
  RotatedSecretAnswer,
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
  showWebhook,
  updateWebhook,
} from './webhooks.ts'

const reading = { tag: 'Webhooks', method: 'get', scope: 'webhooks:read' } as const
const writing = { tag: 'Webhooks', scope: 'webhooks:write' } as const

export const webhookRoutes: readonly Route[] = [
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Subscribe a URL to events',
    description: 'The secret is shown once. The URL must be HTTPS and public.',
    errors: ['too_many_webhooks'],
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
    summary: 'List the webhooks',
    query: WebhooksQuery,
    answer: WebhooksAnswer,
    handle: (context, { query }) => listWebhooks(context, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/events/list',
    summary: 'List the event types',
    answer: EventTypesAnswer,
    handle: () => ({ events: EVENT_TYPES, total: EVENT_TYPES.length }),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'One webhook',
    answer: WebhookAnswer,
    handle: (context, { params }) => showWebhook(context, params.id),
  }),
  route({
    ...writing,
    method: 'put',
    path: '/v1/webhooks/:id',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Change a webhook, or enable it again',
    description:
      '`status: active` sets the count of failures back and sends what was held, up to three days old.',
    errors: ['concurrent_change'],
    body: WebhookRequest,
    example: { events: ['*'], status: 'active' },
    answer: WebhookAnswer,
    handle: (context, { params, body }) => updateWebhook(context, params.id, body),
  }),
  route({
    ...writing,
    method: 'delete',
    path: '/v1/webhooks/:id',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Delete a webhook with its deliveries',
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteWebhook(context, params.id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Replace the signing secret at once',
    description: 'All that is sent from now on is signed with the new one, also what waits to be sent again.',
    answer: RotatedSecretAnswer,
    idempotent: true,
    handle: (context, { params }) => rotateSecret(context, params.id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/test',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'Send a test event now',
    description:
      'The answer tells what the receiver answered. It neither counts as a failure nor is recorded.',
    answer: WebhookTestAnswer,
    handle: (context, { params }) => testWebhook(context, params.id),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id/deliveries',
    params: { id: 'The id of the webhook, `wh_…`' },
    summary: 'List the deliveries of a webhook with their attempts',
    query: DeliveriesQuery,
    answer: DeliveriesAnswer,
    handle: (context, { params, query }) => listDeliveries(context, params.id, query),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    params: { id: 'The id of the webhook, `wh_…`', deliveryId: 'The id of the delivery, `dlv_…`' },
    summary: 'Send a delivery once more',
    errors: ['webhook_disabled', 'delivery_pending'],
    answer: DeliveryAnswer,
    idempotent: true,
    handle: (context, { params }) => redeliver(context, params.id, params.deliveryId),
  }),
]
