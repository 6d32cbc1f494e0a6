import { EVENT_TYPES } from '../events/event-types.ts'
import { type Route, route } from '../http/route.ts'
import { listDeliveries, redeliver, testWebhook } from './deliveries.ts'
import {
  DeletedAnswer,
  DeliveriesAnswer,
  DeliveriesQuery,
  DeliveryAnswer,
  EventTypesAnswer,
  NewWebhook,
  NewWebhookAnswer,
  RotatedAnswer,
  TestAnswer,
  WebhookAnswer,
  WebhooksAnswer,
  WebhooksQuery,
  WebhookUpdate,
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
    body: NewWebhook,
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
    summary: 'One webhook',
    answer: WebhookAnswer,
    handle: (context, { params }) => showWebhook(context, params['id'] ?? ''),
  }),
  route({
    ...writing,
    method: 'put',
    path: '/v1/webhooks/:id',
    summary: 'Change a webhook, or enable it again',
    description:
      '`status: active` sets the count of failures back and sends what was held, up to three days old.',
    errors: ['concurrent_change'],
    body: WebhookUpdate,
    example: { events: ['*'], status: 'active' },
    answer: WebhookAnswer,
    handle: (context, { params, body }) => updateWebhook(context, params['id'] ?? '', body),
  }),
  route({
    ...writing,
    method: 'delete',
    path: '/v1/webhooks/:id',
    summary: 'Delete a webhook with its deliveries',
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteWebhook(context, params['id'] ?? ''),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Replace the signing secret at once',
    description: 'All that is sent from now on is signed with the new one, also what waits to be sent again.',
    answer: RotatedAnswer,
    idempotent: true,
    handle: (context, { params }) => rotateSecret(context, params['id'] ?? ''),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/test',
    summary: 'Send a test event now',
    description:
      'The answer tells what the receiver answered. It neither counts as a failure nor is recorded.',
    answer: TestAnswer,
    handle: (context, { params }) => testWebhook(context, params['id'] ?? ''),
  }),
  route({
    ...reading,
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook with their attempts',
    query: DeliveriesQuery,
    answer: DeliveriesAnswer,
    handle: (context, { params, query }) => listDeliveries(context, params['id'] ?? '', query),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Send a delivery once more',
    errors: ['webhook_disabled', 'delivery_pending'],
    answer: DeliveryAnswer,
    idempotent: true,
    handle: (context, { params }) => redeliver(context, params['id'] ?? '', params['deliveryId'] ?? ''),
  }),
]
