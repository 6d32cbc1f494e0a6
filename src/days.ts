const DAY_MS = 86_400_000

/** The day that was told last: nearly every request asks for the same one. */
let last = { number: Number.NaN, text: '' }

/** The day of a moment in UTC, YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  const number = Math.floor(moment.getTime() / DAY_MS)
  if (number !== last.number) last = { number, text: moment.toISOString().slice(0, 10) }
  return last.text
}
