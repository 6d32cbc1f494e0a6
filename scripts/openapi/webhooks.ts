import { eventOperationId, SENT_EVENTS } from './event-bodies.ts'
import type { Schemas } from './schemas.ts'
import type { Document, Examples } from './types.ts'

const HEADERS = {
  'X-Service-Signature':
    'HMAC-SHA256, in hexadecimal, of the timestamp, `.` and the raw body. The key is the secret',
  'X-Service-Timestamp':
    'When the attempt began, in Unix seconds. Refuse a request that is older than five minutes',
  'X-Service-Event-Id': 'The same for every attempt. Ignore an event whose id you have already processed',
  'X-Service-Delivery-Attempt': 'Counts the attempts from 1',
  'webhook-id': 'The id of the event, as Standard Webhooks wants it',
  'webhook-timestamp': 'When the attempt began, in Unix seconds',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body with `.` between them. The key is the ' +
    'decoded secret. After a rotation with an overlap, two signatures with a space between them',
}

/** The requests that the service sends to the URLs of webhooks. */
export function webhooksOf(schemas: Schemas, examples: Examples): Document['webhooks'] {
  return Object.fromEntries(
    SENT_EVENTS.map(({ type, description, body }) => [
      type,
      {
        post: {
          operationId: eventOperationId(type),
          summary: description,
          description:
            'Any 2xx within 10 seconds is a success. After any other result the service tries again.',
          tags: ['Webhooks'],
          security: [],
          parameters: Object.entries(HEADERS).map(([name, described]) => ({
            name,
            in: 'header',
            description: described,
            required: true,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.of(body, 'output'),
                example: examples[eventOperationId(type)],
              },
            },
          },
          responses: {
            '2XX': { description: 'The event was accepted' },
            '4XX': { description: 'Counts as a failure. The service sends the event again later' },
            '5XX': { description: 'Counts as a failure. The service sends the event again later' },
          },
        },
      },
    ]),
  )
}
