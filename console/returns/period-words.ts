/** A period in words: `2026-Q3` is Q3 2026, `2026-09` September 2026, `2026-08..2026-09` Aug – Sep 2026. */
export function periodWords(period: string): string {
  const [, year, quarter] = /^(\d{4})-Q(\d)$/.exec(period) ?? []
  if (quarter !== undefined) return `Q${quarter} ${year}`
  if (/^\d{4}-\d\d$/.test(period)) return monthWords(period, 'long')
  const [first, last] = period.split('..')
  if (first === undefined || last === undefined) return period
  const same_year = first.slice(0, 4) === last.slice(0, 4)
  const begin = monthWords(first, 'short')
  return `${same_year ? begin.slice(0, -5) : begin} – ${monthWords(last, 'short')}`
}

/** A month such as 2026-09 in words. */
function monthWords(month: string, style: 'long' | 'short'): string {
  const format = new Intl.DateTimeFormat('en-GB', { month: style, year: 'numeric', timeZone: 'UTC' })
  const words = format.format(new Date(`${month}-01T00:00:00Z`))
  // Browsers differ in whether September has three or four letters.
  return style === 'short' ? words.replace('Sept', 'Sep') : words
}
