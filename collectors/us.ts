import { type Collector, ParseError, type Publication, type SourceDocument, type ThresholdFinding } from './collector.ts'
import { asOf, daysBetween } from './dates.ts'
import { columnNamed, type Table, tableWithHeaders, textLines, withoutFootnotes } from './html.ts'
import { type NexusTest, readNexus } from './nexus-wording.ts'
import { STATE_IDS, stateNamed, UNTAXED } from './states.ts'

/** A chart that nobody has looked at for so long says nothing of today. */
const DAYS_OLD_MAX = 425

const institute: Publication = {
  source: 'Sales Tax Institute, Economic Nexus State by State Chart',
  source_url: 'https://www.salestaxinstitute.com/resources/economic-nexus-state-guide',
  url: 'https://www.salestaxinstitute.com/resources/economic-nexus-state-guide',
  variable: 'SOURCE_US_NEXUS',
  request: (url) => ({ url, accept: 'text/html' }),
  read: (documents, day) => readChart(documents, day, { state: 'State', threshold: 'Threshold', name: nameBesideLink }),
}

/** The official board's page follows the laws more slowly, so that it only stands in. */
const board: Publication = {
  source: 'Streamlined Sales Tax Governing Board, Remote Seller State Guidance',
  source_url: 'https://www.streamlinedsalestax.org/for-businesses/remote-seller-faqs/remote-seller-state-guidance',
  url: 'https://www.streamlinedsalestax.org/for-businesses/remote-seller-faqs/remote-seller-state-guidance',
  variable: 'SOURCE_US_NEXUS_BOARD',
  request: (url) => ({ url, accept: 'text/html' }),
  read: (documents, day) => readChart(documents, day, { state: 'Revenue Department Website', threshold: 'Remote Seller Threshold' }),
}

/**
 * Economic nexus of remote sellers, by state: South Dakota v. Wayfair, 585 U.S. 162 (2018), and the law of each state. Amount, number of
 * transactions and how they are joined are read. Which sales are counted, over what time, and whether "more than" or "at least" is meant, the
 * charts put in words of their own: those stay as they are kept.
 */
export const us: Collector = {
  region: 'US',
  facts_region: 'US',
  parts: [
    {
      name: 'Economic nexus thresholds',
      alternatives: [institute, board],
      expected: STATE_IDS.filter((id) => !UNTAXED.has(id)).map((id) => `${id} REMOTE_SELLER_NEXUS all`),
      bounds: { amount: [1_000_000, 100_000_000] },
    },
  ],
}

type Columns = { state: string; threshold: string; name?: (row: readonly string[]) => string }

function readChart([document]: readonly SourceDocument[], day: string, columns: Columns): ThresholdFinding[] {
  const url = document?.url ?? ''
  const page = document?.text ?? ''
  const as_of = asOf(textLines(page))
  if (as_of === null || as_of > day || daysBetween(as_of, day) > DAYS_OLD_MAX)
    throw new ParseError(url, `looked for "As of" and a day of the last 14 months and found ${as_of ?? 'none'}`)
  const table = tableWithHeaders(page, columns.state, columns.threshold)
  const [state, threshold] = table === null ? [-1, -1] : [columnNamed(table, columns.state), columnNamed(table, columns.threshold)]
  if (table === null || state < 0 || threshold < 0)
    throw new ParseError(url, `looked for the one table with the columns ${columns.state} and ${columns.threshold}`)
  const findings = readRows(url, table, { state, threshold, name: columns.name }, day)
  return [...findings, ...untaxed(page, findings)].map((finding) => ({ ...finding, as_of }))
}

type Places = { state: number; threshold: number; name: Columns['name'] }

function readRows(url: string, { headers, rows, lines }: Table, places: Places, day: string): ThresholdFinding[] {
  const seen = new Set<string>()
  return rows.flatMap((row, index) => {
    const evidence = row.join(' | ').slice(0, 1_000)
    const id = stateNamed(withoutFootnotes(row[places.state] ?? '')) ?? stateNamed(places.name?.(row) ?? '')
    if (id === null || seen.has(id) || row.length !== headers.length)
      throw new ParseError(url, `does not expect the row ${JSON.stringify(evidence.slice(0, 120))}`)
    seen.add(id)
    try {
      const { now, later } = readNexus(lines[index]?.[places.threshold] ?? [], day)
      return [...(now === null ? [] : [now]), ...later].map(({ from, test }) => finding(id, test, from, evidence))
    } catch (thrown) {
      throw new ParseError(url, `${id}: ${thrown instanceof Error ? thrown.message : 'cannot be read'}`)
    }
  })
}

/** Where the name of the state is a picture, the last cell has it: `Alabama Economic Nexus >`. */
function nameBesideLink(row: readonly string[]): string {
  return /^(.+?) Economic Nexus\b/i.exec(row.at(-1) ?? '')?.[1] ?? ''
}

/** The chart holds every state that has a sales tax, and says so: of the four that it leaves out it says that there is no threshold. */
function untaxed(page: string, findings: readonly ThresholdFinding[]): ThresholdFinding[] {
  const sentence = textLines(page).find((line) => /^Every state with a sales tax has economic nexus/i.test(line))
  const found = new Set(findings.map(({ jurisdiction_id }) => jurisdiction_id))
  if (sentence === undefined) return []
  const none = { amount: null, transaction_count: null, combinator: null }
  return [...UNTAXED].filter((id) => !found.has(id)).map((id) => finding(id, none, null, sentence))
}

function finding(jurisdiction_id: string, test: NexusTest, effective_from: string | null, evidence: string): ThresholdFinding {
  return {
    kind: 'thresholds',
    jurisdiction_id,
    threshold_type: 'REMOTE_SELLER_NEXUS',
    scope: 'all',
    currency: 'USD',
    ...test,
    effective_from,
    evidence,
  }
}
