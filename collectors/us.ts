import {
  type Collector,
  type Finding,
  ParseError,
  type Publication,
  type SourceDocument,
  type ThresholdFinding,
} from './collector.ts'
import { textLines } from './html.ts'
import { type NexusTest, readNexus } from './nexus-wording.ts'
import { readStateTable, type StateRow } from './state-table.ts'
import { STATE_IDS, UNTAXED } from './states.ts'

const institute: Publication = {
  source: 'Sales Tax Institute, Economic Nexus State by State Chart',
  source_url: 'https://www.salestaxinstitute.com/resources/economic-nexus-state-guide',
  url: 'https://www.salestaxinstitute.com/resources/economic-nexus-state-guide',
  variable: 'SOURCE_US_NEXUS',
  request: (url) => ({ url, accept: 'text/html' }),
  read: (documents, day) => readChart(documents, day, { state: /^state$/i, threshold: /^threshold$/i }),
}

/** The page of the official board follows the laws more slowly, so it is only the second choice. */
const board: Publication = {
  source: 'Streamlined Sales Tax Governing Board, Remote Seller State Guidance',
  source_url:
    'https://www.streamlinedsalestax.org/for-businesses/remote-seller-faqs/remote-seller-state-guidance',
  url: 'https://www.streamlinedsalestax.org/for-businesses/remote-seller-faqs/remote-seller-state-guidance',
  variable: 'SOURCE_US_NEXUS_BOARD',
  request: (url) => ({ url, accept: 'text/html' }),
  read: (documents, day) =>
    readChart(documents, day, {
      state: /^revenue department website$/i,
      threshold: /^remote seller threshold$/i,
    }),
}

/**
 * Economic nexus of remote sellers, by state: South Dakota v. Wayfair, 585 U.S. 162 (2018), and the law of
 * each state. The charts give the amount, the number of transactions and how they are joined. Which sales
 * count, over what time, and whether "more than" or "at least" is meant, is kept by hand.
 */
export const us: Collector = {
  region: 'US',
  parts: [
    {
      name: 'Economic nexus thresholds',
      alternatives: [institute, board],
      expected: STATE_IDS.filter((id) => !UNTAXED.has(id)).map((id) => `${id} REMOTE_SELLER_NEXUS all`),
      bounds: { amount: [1_000_000, 100_000_000], person: taxOfUntaxed },
    },
  ],
}

function taxOfUntaxed({ jurisdiction_id }: Finding): string | null {
  return UNTAXED.has(jurisdiction_id) ? 'the state has no sales tax, so a person decides' : null
}

type Headings = { state: RegExp; threshold: RegExp }

function readChart(
  [document]: readonly SourceDocument[],
  day: string,
  headings: Headings,
): ThresholdFinding[] {
  const { as_of, rows } = readStateTable(document, day, headings, nameBesideLink)
  const findings = rows.flatMap((row) => readRow(document?.url ?? '', row, day))
  return [...findings, ...untaxed(document?.text ?? '', findings)].map((each) => ({ ...each, as_of }))
}

function readRow(
  url: string,
  { id, lines, evidence }: StateRow<'threshold'>,
  day: string,
): ThresholdFinding[] {
  try {
    const { now, later } = readNexus(lines('threshold'), day)
    return [...(now === null ? [] : [now]), ...later].map(({ from, test }) =>
      finding(id, test, from, evidence),
    )
  } catch (thrown) {
    throw new ParseError(url, `${id}: ${thrown instanceof Error ? thrown.message : 'cannot be read'}`)
  }
}

/** If the name of the state is a picture, the last cell has it: `Alabama Economic Nexus >`. */
function nameBesideLink(row: readonly string[]): string {
  return /^(.+?) Economic Nexus\b/i.exec(row.at(-1) ?? '')?.[1] ?? ''
}

/**
 * Findings for the four states that the chart leaves out: they have no threshold, because the chart says that
 * it has every state with a sales tax.
 */
function untaxed(page: string, findings: readonly ThresholdFinding[]): ThresholdFinding[] {
  const sentence = textLines(page).find((line) =>
    /^Every state with a sales tax has economic nexus/i.test(line),
  )
  const found = new Set(findings.map(({ jurisdiction_id }) => jurisdiction_id))
  if (sentence === undefined) return []
  const none = { amount: null, transaction_count: null, combinator: null }
  return [...UNTAXED].filter((id) => !found.has(id)).map((id) => finding(id, none, null, sentence))
}

function finding(
  jurisdiction_id: string,
  test: NexusTest,
  effective_from: string | null,
  evidence: string,
): ThresholdFinding {
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
