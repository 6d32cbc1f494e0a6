import { ParseError } from '../collector.ts'

/** What a document says, and the records of it that are not understood. They are left out. */
export type Understood<Made> = { made: Made[]; odd: string[] }

const SHOWN_MAX = 120
/** A document with fewer records than this has to be understood as a whole. */
const RECORDS_MIN = 100
/** One odd record of so many is bad luck; more of them are another document than we think. */
const ONE_IN = 200

/**
 * Reads records one by one. `read` gives what a record says, or null if it is not understood; `text` is
 * shown then. Throws ParseError if too many are odd, or if the last one is: the document may be cut off.
 */
export function understood<Row, Made>(
  rows: readonly Row[],
  url: string,
  read: (row: Row) => readonly Made[] | null,
  text: (row: Row) => string,
): Understood<Made> {
  const [made, odd]: [Made[], string[]] = [[], []]
  let last_is_odd = false
  for (const row of rows) {
    const found = read(row)
    last_is_odd = found === null
    if (found === null) odd.push(text(row).slice(0, SHOWN_MAX))
    else made.push(...found)
  }
  refuseMany(url, { odd: odd.length, records: rows.length, shown: odd.at(last_is_odd ? -1 : 0) ?? '' })
  if (last_is_odd)
    throw new ParseError(url, `does not understand its last record, ${JSON.stringify(odd.at(-1))}`)
  return { made, odd }
}

/** Throws ParseError if more records are odd than a document of this size may have. */
export function refuseMany(
  url: string,
  { odd, records, shown }: { odd: number; records: number; shown: string },
): void {
  const allowed = records < RECORDS_MIN ? 0 : Math.ceil(records / ONE_IN)
  if (odd > allowed)
    throw new ParseError(
      url,
      `does not understand ${odd} of ${records} records, such as ${JSON.stringify(shown)}`,
    )
}

/** What is told of records that were left out; null: there are none. */
export function remarkOnOdd(odd: readonly string[], records: number): string | null {
  if (odd.length === 0) return null
  const shown = JSON.stringify(odd[0])
  return `left out ${odd.length} of ${records} records that are not understood, such as ${shown}`
}
