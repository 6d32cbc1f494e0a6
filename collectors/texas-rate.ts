import { daysAfter } from '../src/platform/kit/calendar.ts'
import { ParseError, type Publication, type RateFinding, type SourceDocument } from './collector.ts'
import { readControl, TEXAS_FILE, texas } from './us-local/lists/texas.ts'

/**
 * The rate of Texas, in the first row of the Comptroller's file of local rates. The row names a quarter, but
 * not the day on which the rate began, so it confirms or contradicts the tables and changes nothing alone.
 */
export const texasRate: Publication = {
  source: texas.source,
  source_url: texas.source_url,
  url: TEXAS_FILE,
  variable: texas.variable,
  request: (url) => ({ url, accept: 'text/plain, application/octet-stream' }),
  read: readTexasRate,
}

/** Two quarters. An older copy says nothing about today. */
const DAYS_MAX = 184

function readTexasRate([document]: readonly SourceDocument[], day: string): RateFinding[] {
  if (document === undefined) throw new ParseError('', 'looked for the file of Texas')
  const { control } = readControl(document, day)
  if (control.from < daysAfter(day, -DAYS_MAX))
    throw new ParseError(document.url, `is of an old quarter, which began on ${control.from}`)
  return [
    {
      kind: 'rates',
      jurisdiction_id: 'US-TX',
      tax_type: 'SALES_TAX',
      category: 'standard',
      rate_millionths: control.state_rate,
      effective_from: null,
      as_of: control.from,
      evidence: control.row,
    },
  ]
}
