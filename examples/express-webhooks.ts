import express from 'express'
import { type WebhookEvent, verifyWebhook, WebhookVerificationError } from 'tax-compliance/verify-webhook'

/** The ids of processed events, e.g. in a table of your database. */
export type Processed = { has: (id: string) => Promise<boolean>; add: (id: string) => Promise<void> }

/**
 * A receiver of webhooks on Express. It processes each event once, then answers, and refuses what the service
 * did not sign. If `act` throws or takes longer than ten seconds, the service sends the event again later. Give
 * the old secret and the new one while you replace it.
 */
export function receiver(
  secrets: string | string[],
  processed: Processed,
  act: (event: WebhookEvent) => Promise<void>,
): express.Express {
  const app = express()
  // The signature covers the raw bytes, so express.json() must not read this path.
  app.post('/webhooks/tax', express.raw({ type: 'application/json' }), async (request, response) => {
    try {
      const event = await verifyWebhook(request, secrets)
      if (event.type === 'webhook.challenge') {
        response.type('text/plain').send(event.data.challenge)
        return
      }
      if (!(await processed.has(event.id))) {
        await act(event)
        await processed.add(event.id)
      }
      response.sendStatus(204)
    } catch (error) {
      const forged = error instanceof WebhookVerificationError
      if (!forged) console.error(error)
      response.sendStatus(forged ? 401 : 500)
    }
  })
  return app
}

/** Each case knows the fields of its own event. */
export function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'rate.updated':
      return `${event.data.jurisdiction_name}: ${event.data.old_rate} becomes ${event.data.new_rate}`
    case 'threshold.exceeded':
      return `Register in ${event.data.jurisdiction_name}: ${event.data.amount} ${event.data.currency}`
    case 'return.due':
      return `File ${event.data.type ?? 'the return'} of ${event.data.period} until ${event.data.last_date}`
    default:
      return event.type
  }
}
