const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

/**
 * A pattern for a day such as `July 1, 2026` or `7/1/2026`. It has no groups, so other patterns can contain
 * it.
 */
export const DAY_WRITTEN = String.raw`(?:[A-Z][a-z]+\.? \d{1,2}, ?\d{4}|\d{1,2}\/\d{1,2}\/\d{4})`

/** The `YYYY-MM-DD` of a day as an American source writes it; null if the text is not a day. */
export function writtenDay(text: string): string | null {
  const figures = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim())
  if (figures !== null) return calendarDay(figures[3], Number(figures[1]), Number(figures[2]))
  const words = /^([A-Z][a-z]{2,})\.? (\d{1,2}), ?(\d{4})$/.exec(text.trim())
  const month = MONTHS.findIndex((name) => name.startsWith((words?.[1] ?? '-').toLowerCase())) + 1
  return words === null || month === 0 ? null : calendarDay(words[3], month, Number(words[2]))
}

const DAYS_IN_SENTENCES = [
  // 1 April 2027
  /\b(\d{1,2})(?:st|nd|rd|th)? ([A-Z][a-z]{2,})\.?,? (\d{4})\b/g,
  // April 1, 2027
  /\b([A-Z][a-z]{2,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/g,
  // 2027-04-01
  /\b(\d{4})-(\d{2})-(\d{2})\b/g,
] as const

/** All days that a sentence names in words or in ISO form, as `YYYY-MM-DD`, the earliest first. */
export function daysNamed(sentence: string): string[] {
  const [british, american, iso] = DAYS_IN_SENTENCES
  const days = [
    ...[...sentence.matchAll(british)].map(([, day, month, year]) =>
      calendarDay(year, monthOf(month), Number(day)),
    ),
    ...[...sentence.matchAll(american)].map(([, month, day, year]) =>
      calendarDay(year, monthOf(month), Number(day)),
    ),
    ...[...sentence.matchAll(iso)].map(([, year, month, day]) =>
      calendarDay(year, Number(month), Number(day)),
    ),
  ]
  return [...new Set(days.flatMap((day) => day ?? []))].toSorted()
}

/** Whether a sentence names a later month without its day, or a day of this year or later in figures. */
export function namesLaterTime(sentence: string, today: string): boolean {
  const months = [...sentence.matchAll(/\b([A-Z][a-z]{2,})\.?,? (\d{4})\b/g)].flatMap(([, name, year]) => {
    const month = monthOf(name)
    return month === 0 ? [] : `${year}-${String(month).padStart(2, '0')}`
  })
  const years = [...sentence.matchAll(/\b\d{1,2}[/.]\d{1,2}[/.](\d{4})\b/g)].map(([, year]) => year ?? '')
  return months.some((month) => month > today.slice(0, 7)) || years.some((year) => year >= today.slice(0, 4))
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '-').toLowerCase())) + 1
}

/** The days after `As of`, such as `As of July 1, 2026`, in the order of the text. */
export function daysAsOf(lines: readonly string[]): string[] {
  const pattern = new RegExp(String.raw`\bas of:? (${DAY_WRITTEN})`, 'gi')
  return lines.flatMap((line) =>
    [...line.matchAll(pattern)].flatMap(([, day]) => writtenDay(day ?? '') ?? []),
  )
}

function calendarDay(year: string | undefined, month: number, day: number): string | null {
  if (month === 0) return null
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return Number.isNaN(Date.parse(text)) || new Date(text).toISOString().slice(0, 10) !== text ? null : text
}
