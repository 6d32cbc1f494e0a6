import { ParseError, type SourceDocument } from '../collector.ts'
import { linksOf } from '../html.ts'

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** A file of a state in a directory of the Streamlined Sales Tax Governing Board. */
type ListedFile = { state: string; name: string; quarter: string }

/**
 * The newest file of each state in a directory, of this quarter or an earlier one. `GAR2026Q4AUG20.zip`:
 * state, rates (`B`: boundaries), the quarter, and the day on which it was made. Throws ParseError.
 */
export function newestFiles(directory: SourceDocument, kind: 'R' | 'B', day: string): ListedFile[] {
  const quarter = `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  const newest = new Map<string, ListedFile & { order: string }>()
  for (const link of linksOf(directory.text)) {
    const name = link.split('/').at(-1) ?? ''
    const match = /^([A-Z]{2})([RB])(\d{4})Q([1-4])([A-Z]{3})(\d{1,2})\.(csv|zip)$/i.exec(name)
    const [, state = '', of = '', year = '', number = '', made_in = '', made_on = ''] = match ?? []
    const month = MONTHS.indexOf(made_in.toUpperCase()) + 1
    if (of.toUpperCase() !== kind || month === 0 || `${year}Q${number}` > quarter) continue
    // A file made in November for the first quarter is older than one made in January.
    const made = month > Number(number) * 3 ? month : month + 12
    const order = `${year}Q${number} ${String(made).padStart(2, '0')} ${made_on.padStart(2, '0')}`
    const id = state.toUpperCase()
    if (order <= (newest.get(id)?.order ?? '')) continue
    const first = `${year}-${String(Number(number) * 3 - 2).padStart(2, '0')}-01`
    newest.set(id, { state: id, name, quarter: first, order })
  }
  if (newest.size === 0)
    throw new ParseError(directory.url, `looked for links to files such as GA${kind}2026Q4AUG20.zip`)
  return [...newest.values()].map(({ state, name, quarter: first }) => ({ state, name, quarter: first }))
}
