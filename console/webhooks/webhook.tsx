import { linkTo } from '../address.ts'
import { Badge } from '../parts/parts.tsx'

type LinkedDelivery = { delivery?: string; status?: string | null }

/** The link to the page of a webhook, or to the drawer of one of its deliveries. `status` filters them. */
export function linkToWebhook(webhook: string, { delivery, status }: LinkedDelivery = {}): string {
  const query = new URLSearchParams({ webhook, ...(status && { status }) })
  return linkTo('webhooks', { id: delivery ?? null, query })
}

/** What this screen calls the states of a delivery that have another name in the API. */
export const STATES: Readonly<Record<string, string>> = { pending: 'Waiting', failed: 'Given up' }

const TONES = { pending: 'warn', failed: 'bad', succeeded: 'good', expired: 'bad' } as const

/** The state of a delivery, in the words of the filter above the list. */
export function StateOfDelivery({ status }: { status: keyof typeof TONES }) {
  return <Badge word={STATES[status] ?? status} tone={TONES[status]} />
}
