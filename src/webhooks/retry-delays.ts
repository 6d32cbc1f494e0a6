/** Seconds before each further attempt (specification, section 6.4). */
const DELAYS: readonly number[] = [60, 300, 1_800, 7_200, 86_400]

/**
 * The retry schedule; a list of seconds in WEBHOOK_RETRY_DELAYS replaces it, so that drills need not wait for
 * a day.
 */
export function retryDelays({ WEBHOOK_RETRY_DELAYS }: { WEBHOOK_RETRY_DELAYS?: string }): readonly number[] {
  const given = (WEBHOOK_RETRY_DELAYS ?? '').split(',').map(Number)
  const usable =
    given.length === DELAYS.length && given.every((seconds) => Number.isFinite(seconds) && seconds >= 0)
  return WEBHOOK_RETRY_DELAYS && usable ? given : DELAYS
}

/** After so many failures in a row a webhook is disabled (specification, section 6.4). */
export const FAILURES_MAX = 5
