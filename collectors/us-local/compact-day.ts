/** `2011-01-01` for `20110101`; null if the text is not a day. */
export function compactDay(text: string): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text.trim())
  if (match === null) return null
  const day = `${match[1]}-${match[2]}-${match[3]}`
  const time = Date.parse(day)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day
}

/** An open end: files write it as the last day of 2078, 2099, 2999 or 9999. */
export function lastDay(day: string): string | null {
  return day >= '2078-01-01' ? null : day
}

/** The day `days` later, or earlier if negative. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The first day of the quarter of a day. */
export function quarterOf(day: string): string {
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1
  return `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}
