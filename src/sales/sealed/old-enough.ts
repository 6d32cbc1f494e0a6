import type { Bindings } from '../../platform/bindings.ts'

/** The shortest age of what is sealed, and the usual one. */
const DAYS = 400
const DAY_MS = 86_400_000

/** The moment before which sales and returns are old enough for the bucket, in ISO 8601. */
export function oldBefore({ SEAL_AFTER_DAYS }: Pick<Bindings, 'SEAL_AFTER_DAYS'>, now: Date): string {
  const days = Math.max(DAYS, Number(SEAL_AFTER_DAYS ?? DAYS) || DAYS)
  return new Date(now.getTime() - days * DAY_MS).toISOString()
}
