import type { SourceRequest } from '../../collector.ts'
import type { Entry } from '../entries.ts'

/** A document of a list, unpacked if it is a workbook: a table of rows. */
export type ListDocument = { url: string; text: string }

/** What a reader needs: the day, and the rate of the state on it, millionths. */
export type ListReading = { day: string; state_rate: number }

/** The entries of a list. `records`: those that count, of which `odd` were not understood and left out. */
export type ListEntries = { entries: Entry[]; odd: string[]; records: number }

/** The list in which a state publishes the rates of its jurisdictions. */
export type StateList = {
  state: string
  source: string
  source_url: string
  variable: `SOURCE_${string}`
  request: (day: string) => SourceRequest
  /** `text`: as it is; `workbook`: the first sheet as rows with tabs. */
  format: 'text' | 'workbook'
  /** Throws ParseError. */
  read: (document: ListDocument, reading: ListReading) => ListEntries
  /** The fewest cities and counties that a whole list has. */
  rows_min: number
}
