/** The type of the event. Nobody subscribes to it, and lists of events leave it out. */
export const CHALLENGE = 'webhook.challenge'

/** A challenge with a new random value. */
export function challengeEvent(webhook_id: string): { type: string; data: string } {
  return { type: CHALLENGE, data: JSON.stringify({ webhook_id, challenge: crypto.randomUUID() }) }
}

/** The text that the receiver of an event must answer with; null: any text. */
export function expectedAnswer({ type, data }: { type: string; data: string }): string | null {
  if (type !== CHALLENGE) return null
  const { challenge }: { challenge: string } = JSON.parse(data)
  return challenge
}
