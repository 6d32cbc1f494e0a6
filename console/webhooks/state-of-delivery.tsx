import { Badge } from '../parts/badge.tsx'

/** What this screen calls the states of a delivery that have another name in the API. */
export const STATES: Readonly<Record<string, string>> = { pending: 'Waiting', failed: 'Given up' }

const TONES = { pending: 'warn', failed: 'bad', succeeded: 'good', expired: 'bad' } as const

/** The state of a delivery, in the words of the filter above the list. */
export function StateOfDelivery({ status }: { status: keyof typeof TONES }) {
  return <Badge word={STATES[status] ?? status} tone={TONES[status]} />
}
