import { DAY_MS } from '../../src/platform/kit/calendar.ts'

/** A sample with a moment of the last 30 days in place of its own, as its reader would write it for `recover`. */
export function withRecentSince(sample: string): string {
  return sample.replaceAll('2026-11-20T00:00:00Z', new Date(Date.now() - DAY_MS).toISOString())
}
