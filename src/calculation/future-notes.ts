import { dayOf } from '../calendar.ts'

const FUTURE: readonly string[] = [
  'The day is in the future: this is the law as announced in the data, which has no other change',
]
const NONE: readonly string[] = []

/** A note on an answer for a day after today. */
export function futureNotes(day: string, now: Date): readonly string[] {
  return day > dayOf(now) ? FUTURE : NONE
}
