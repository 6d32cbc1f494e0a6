import type { Context } from '../../platform/context.ts'
import { dayIn, todayIn } from '../../platform/kit/time-zone.ts'

/** Whose day it is, and when. */
export type Asking = { principal: Pick<Context['principal'], 'time_zone'>; now: Date }

/** The day whose law applies: the day given, the local day of the moment given, or today there. */
export function dayOfRequest(
  { principal: { time_zone }, now }: Asking,
  text: string | null | undefined,
): string {
  if (!text) return todayIn(time_zone, now)
  return text.length === 10 ? text : dayIn(time_zone, new Date(text))
}
