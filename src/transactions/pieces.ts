import { lastDayOf, monthOf, monthsAfter } from '../calendar.ts'

/** A range of rows of tax_totals: whole months by month, days at the edges by day. Both ends are included. */
export type Piece = { span: 'day' | 'month'; from: string; to: string }

/** The pieces that contain each day from one to another once, both included. */
export function piecesOf(from: string, to: string): Piece[] {
  if (from > to) return []
  const first = from.endsWith('-01') ? monthOf(from) : monthsAfter(monthOf(from), 1)
  const last = to >= lastDayOf(monthOf(to)) ? monthOf(to) : monthsAfter(monthOf(to), -1)
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
