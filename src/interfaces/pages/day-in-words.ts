const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY_MS = 86_400_000

/** A day as people write it, the same in every engine: `23 Sep 2026` for `2026-09-23`, also of a moment. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-').map(Number)
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`
}

/** How long ago a day was: `today`, `12 days ago`, `4 months ago`, `20 years ago`. */
export function agoInWords(day: string, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(day)) / DAY_MS))
  if (days === 0) return 'today'
  if (days < 60) return days === 1 ? 'yesterday' : `${days} days ago`
  if (days < 730) return `${Math.round(days / 30.44)} months ago`
  return `${Math.floor(days / 365.25)} years ago`
}
