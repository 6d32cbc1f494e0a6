import type { Bindings } from '../bindings.ts'
import { sendMessages } from '../queue/send.ts'

/** A delivery, and the moment of its next attempt. */
export type Waiting = { id: string; next_attempt_at: string }

/** Sends a message for each event that subscribers are to be told of. */
export async function announce(env: Bindings, event_ids: readonly string[], now: Date): Promise<void> {
  const wakes = event_ids.map((id) => ({ message: { kind: 'event', id } as const, at: null }))
  await sendMessages(env.WEBHOOK_EVENTS, wakes, now)
}

/** Wakes deliveries at their time. */
export async function sendWakeUps(env: Bindings, waiting: readonly Waiting[], now: Date): Promise<void> {
  const wakes = waiting.map(({ id, next_attempt_at }) => ({
    message: { kind: 'delivery', id } as const,
    at: next_attempt_at,
  }))
  await sendMessages(env.WEBHOOK_DELIVERIES, wakes, now)
}
