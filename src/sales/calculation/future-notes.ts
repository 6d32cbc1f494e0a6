import { type Asking, dayOfRequest } from './day-of-request.ts'

const FUTURE: readonly string[] = [
  'The day is in the future, so this is the law as announced in the data, which has no other change',
]
const NONE: readonly string[] = []

/** A note on an answer for a day after today, in the time zone of the account. */
export function futureNotes(day: string, context: Asking): readonly string[] {
  return day > dayOfRequest(context, null) ? FUTURE : NONE
}
