/**
 * A stretch of rows of tax_totals: whole months by their month, the days at the edges by their day. Both ends
 * are included.
 */
export type Piece = { span: 'day' | 'month'; from: string; to: string }

/**
 * The pieces that make up the days from one to another, both included: no day twice, none left out. Dates
 * `YYYY-MM-DD`.
 */
export function piecesOf(from: string, to: string): Piece[] {
  if (from > to) return []
  const first = from.endsWith('-01') ? monthOf(from) : monthAfter(monthOf(from))
  const last = to >= lastDayOf(monthOf(to)) ? monthOf(to) : monthBefore(monthOf(to))
  if (first > last) return [{ span: 'day', from, to }]
  const pieces: Piece[] = [{ span: 'month', from: first, to: last }]
  if (from < `${first}-01`) pieces.unshift({ span: 'day', from, to: lastDayOf(monthOf(from)) })
  if (to > lastDayOf(last)) pieces.push({ span: 'day', from: `${monthOf(to)}-01`, to })
  return pieces
}

/** The pieces as a condition of SQL, with its values. */
export function conditionOf(pieces: readonly Piece[]): { sql: string; values: string[] } {
  if (pieces.length === 0) return { sql: 'false', values: [] }
  return {
    sql: `(${pieces.map(() => '(span = ? AND period BETWEEN ? AND ?)').join(' OR ')})`,
    values: pieces.flatMap(({ span, from, to }) => [span, from, to]),
  }
}

/** A period of a return: `2026`, `2026-Q3` or `2026-09`. Null when it is none. */
export function readPeriod(
  text: string,
): { kind: 'year' | 'quarter' | 'month'; from: string; to: string } | null {
  const [, year = '', quarter, month] = /^(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(text) ?? []
  if (year === '') return null
  if (quarter !== undefined) {
    const last = String(Number(quarter) * 3).padStart(2, '0')
    return {
      kind: 'quarter',
      from: `${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}-01`,
      to: lastDayOf(`${year}-${last}`),
    }
  }
  if (month !== undefined)
    return { kind: 'month', from: `${year}-${month}-01`, to: lastDayOf(`${year}-${month}`) }
  return { kind: 'year', from: `${year}-01-01`, to: `${year}-12-31` }
}

/** `2026-Q3` of `2026-08`. */
export function quarterOf(month: string): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`
}

function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** The last day of a month `YYYY-MM`. */
export function lastDayOf(month: string): string {
  const days = [31, isLeap(Number(month.slice(0, 4))) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return `${month}-${days[Number(month.slice(5, 7)) - 1]}`
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function monthAfter(month: string): string {
  return shift(month, 1)
}

function monthBefore(month: string): string {
  return shift(month, -1)
}

/** Sorts as text also at the ends of the calendar. */
function shift(month: string, by: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}
