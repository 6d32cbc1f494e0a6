import { takeTurns } from './take-turns.ts'

/** A row of a file takes some hundredths of a millisecond. */
const ROWS_OF_TURN = 200

/** What is made of each row. The other requests have their turn after each few of them. */
export async function mapInTurns<Row, Made>(rows: readonly Row[], make: (row: Row) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (let from = 0; from < rows.length; from += ROWS_OF_TURN) {
    if (from > 0) await takeTurns()
    for (const row of rows.slice(from, from + ROWS_OF_TURN)) made.push(make(row))
  }
  return made
}
