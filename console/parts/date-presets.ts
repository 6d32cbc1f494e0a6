/** Days from one to another, as a person names them. */
export type Preset = { name: string; from: string; to: string }

/** The spans that accountants ask for, on a day such as 2026-11-24. */
export function presetsOn(today: string): Preset[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const quarter = Math.floor((month - 1) / 3) * 3 + 1
  return [
    { name: 'This month', ...months(year, month, 1) },
    { name: 'Last month', ...months(year, month - 1, 1) },
    { name: 'This quarter', ...months(year, quarter, 3) },
    { name: 'Last quarter', ...months(year, quarter - 3, 3) },
    { name: 'This year', ...months(year, 1, 12) },
    { name: 'Last year', ...months(year - 1, 1, 12) },
  ]
}

/** So many whole months; the first may lie in an earlier year. */
function months(year: number, first: number, count: number): { from: string; to: string } {
  const day = (month: number, number: number) =>
    new Date(Date.UTC(year, month - 1, number)).toISOString().slice(0, 10)
  return { from: day(first, 1), to: day(first + count, 0) }
}
