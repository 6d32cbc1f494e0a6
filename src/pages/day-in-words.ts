const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day as people write it: `23 Sept 2026` for `2026-09-23`. */
export function dayInWords(day: string): string {
  return DAY.format(new Date(day))
}
