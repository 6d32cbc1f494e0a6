import { OldDocument, ParseError, type SourceDocument } from './collector.ts'
import { daysBetween } from '../src/platform/kit/calendar.ts'
import { daysAsOf } from './dates.ts'
import { type Table, tablesOf, textLines, withoutFootnotes } from './html.ts'
import { stateNamed } from './states.ts'

/** Tables are renewed once or twice a year. An older one says nothing about today. */
const DAYS_OLD_MAX = 425

/** The columns by their headings: each pattern has to match one heading, without its footnotes. */
type Headings<Name extends string> = Readonly<Record<Name | 'state', RegExp>>

export type StateRow<Name extends string> = {
  id: string
  /** The content of a column, as one text and as its visible lines. */
  text: (column: Name) => string
  lines: (column: Name) => string[]
  evidence: string
}

type StateTable<Name extends string> = { as_of: string; rows: StateRow<Name>[] }

/**
 * The table of a page with these columns and a row for each state, and the day that it describes.
 * `nameBeside` finds the name of a state if its own cell has no name. Throws ParseError.
 */
export function readStateTable<Name extends string>(
  document: SourceDocument | undefined,
  day: string,
  headings: Headings<Name>,
  nameBeside: (row: readonly string[]) => string = () => '',
): StateTable<Name> {
  const url = document?.url ?? ''
  const found = tablesOf(document?.text ?? '').flatMap((table) => {
    const columns = columnsOf(table, headings)
    return columns === null ? [] : [{ table, columns }]
  })
  const [only, another] = found
  if (only === undefined || another !== undefined)
    throw new ParseError(
      url,
      `looked for the one table with the columns ${Object.keys(headings).join(', ')}; found ${found.length}`,
    )
  const { table, columns } = only
  const as_of = dayOfTable(table, textLines(document?.text ?? ''), day)
  const looked_for = `looked for "as of" and a day of the last 14 months and found ${as_of ?? 'none'}`
  if (as_of === null || as_of > day) throw new ParseError(url, looked_for)
  if (daysBetween(as_of, day) > DAYS_OLD_MAX) throw new OldDocument(url, looked_for)
  const seen = new Set<string>()
  const rows = table.rows.map((row, index): StateRow<Name> => {
    const evidence = row.join(' | ').slice(0, 1_000)
    const id = stateNamed(withoutFootnotes(row[columns.state] ?? '')) ?? stateNamed(nameBeside(row))
    if (id === null || seen.has(id) || row.length !== table.headers.length)
      throw new ParseError(url, `does not expect the row ${JSON.stringify(evidence.slice(0, 120))}`)
    seen.add(id)
    return {
      id,
      evidence,
      text: (column) => row[columns[column]] ?? '',
      lines: (column) => table.lines[index]?.[columns[column]] ?? [],
    }
  })
  return { as_of, rows }
}

/**
 * The day that a table describes: the day in its heading, else the latest day on the page, because other
 * sentences may name earlier days. Null: the page names no day.
 */
function dayOfTable({ heading }: Table, lines: readonly string[], day: string): string | null {
  const [own] = daysAsOf([heading])
  if (own !== undefined) return own
  const named = daysAsOf(lines).toSorted()
  return named.find((each) => each > day) ?? named.at(-1) ?? null
}

function columnsOf<Name extends string>(
  { headers }: Table,
  headings: Headings<Name>,
): Record<Name | 'state', number> | null {
  const found = Object.entries<RegExp>(headings).map(([name, pattern]) => {
    const places = headers.flatMap((header, index) => (pattern.test(withoutFootnotes(header)) ? [index] : []))
    return [name, places.length === 1 ? (places[0] ?? -1) : -1] as const
  })
  return found.every(([, place]) => place >= 0) ? recordOf(headings, new Map(found)) : null
}

/** Every name of `headings` is a key of `places`, because these were made from them. */
function recordOf<Name extends string>(
  headings: Readonly<Record<Name, RegExp>>,
  places: ReadonlyMap<string, number>,
): Record<Name, number> {
  return Object.fromEntries(Object.keys(headings).map((name) => [name, places.get(name) ?? -1])) as Record<
    Name,
    number
  >
}
