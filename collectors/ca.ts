import {
  type Collector,
  type Finding,
  ParseError,
  type Publication,
  type RateFinding,
  type SourceDocument,
} from './collector.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { columnOf, tableWithHeaders, textLines } from './html.ts'
import { saidIn } from './sentences.ts'

/** The provinces by their names in the table. `own`: the tax beside GST. `hst`: HST replaces both. */
const PROVINCES = new Map<string, { id: string; own: 'PST' | 'QST' | 'RST' | null; hst: boolean }>([
  ['Alberta', { id: 'CA-AB', own: null, hst: false }],
  ['British Columbia', { id: 'CA-BC', own: 'PST', hst: false }],
  ['Manitoba', { id: 'CA-MB', own: 'RST', hst: false }],
  ['New Brunswick', { id: 'CA-NB', own: null, hst: true }],
  ['Newfoundland and Labrador', { id: 'CA-NL', own: null, hst: true }],
  ['Northwest Territories', { id: 'CA-NT', own: null, hst: false }],
  ['Nova Scotia', { id: 'CA-NS', own: null, hst: true }],
  ['Nunavut', { id: 'CA-NU', own: null, hst: false }],
  ['Ontario', { id: 'CA-ON', own: null, hst: true }],
  ['Prince Edward Island', { id: 'CA-PE', own: null, hst: true }],
  ['Quebec', { id: 'CA-QC', own: 'QST', hst: false }],
  ['Saskatchewan', { id: 'CA-SK', own: 'PST', hst: false }],
  ['Yukon', { id: 'CA-YT', own: null, hst: false }],
])

const rates: Publication = {
  source: 'Canada Revenue Agency',
  source_url:
    'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/charge-collect-which-rate/calculator.html',
  url: 'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/charge-collect-which-rate/calculator.html',
  variable: 'SOURCE_CA_RATES',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readRates,
}

const threshold: Publication = {
  source: 'Canada Revenue Agency',
  source_url:
    'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/when-register-charge.html',
  url: 'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/when-register-charge.html',
  variable: 'SOURCE_CA_THRESHOLD',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readThreshold,
}

/**
 * GST/HST and the provinces' own taxes: Excise Tax Act, s. 165 (rates), s. 148 (small suppliers). The table
 * of the CRA contains all of them.
 */
export const ca: Collector = {
  region: 'CA',
  parts: [
    {
      name: 'GST, HST and provincial rates',
      alternatives: [rates],
      expected: [
        'CA GST standard',
        ...[...PROVINCES.values()].flatMap(({ id, own, hst }) =>
          hst ? [`${id} HST standard`] : own === null ? [] : [`${id} ${own} standard`],
        ),
      ],
      bounds: { rate: { any: [40_000, 180_000] }, person: rateOfFederation },
    },
    {
      name: 'Small supplier threshold',
      alternatives: [threshold],
      expected: ['CA GST_REGISTRATION all'],
      bounds: { amount: [2_000_000, 10_000_000] },
    },
  ],
}

/** A change of GST also changes the HST of all provinces (Excise Tax Act, s. 165), so a person decides. */
function rateOfFederation({ jurisdiction_id }: Finding): string | null {
  return jurisdiction_id === 'CA' ? 'GST has not changed since 2008, so a person decides' : null
}

/** Where the templates of canada.ca name the day of a page's last edit: an element, a word, or a field. */
const DAYS_MODIFIED = [
  /<gcds-date-modified\b[^>]*>\s*(\d{4}-\d{2}-\d{2})\s*<\/gcds-date-modified>/i,
  /<meta\b(?=[^>]*\bname=["']dcterms\.modified["'])[^>]*\bcontent=["'](\d{4}-\d{2}-\d{2})\b/i,
]

/**
 * The day of a page's last edit. The older template writes `Date modified: 2026-07-01`; in the present one a
 * script draws these words. Throws ParseError.
 */
function dateModified(document: SourceDocument | undefined): string {
  const html = document?.text ?? ''
  const text = textLines(html).join(' ')
  const written = /Date modified: ?(\d{4}-\d{2}-\d{2})\b/i.exec(text)?.[1]
  const day = written ?? DAYS_MODIFIED.map((pattern) => pattern.exec(html)?.[1]).find(Boolean)
  if (day === undefined) throw new ParseError(document?.url ?? '', 'looked for "Date modified"')
  return day
}

function readRates([document]: readonly SourceDocument[]): Finding[] {
  const url = document?.url ?? ''
  const table = tableWithHeaders(document?.text ?? '', 'Province', 'GST and HST', 'PST')
  if (table === null)
    throw new ParseError(url, 'looked for the one table with the columns Province, GST and HST, PST')
  const [province, federal, provincial] = [
    columnOf(table, 'Province'),
    columnOf(table, 'GST'),
    columnOf(table, 'PST'),
  ]
  const seen = new Set<string>()
  const findings = table.rows.flatMap((row) => {
    const name = row[province] ?? ''
    const known = PROVINCES.get(name)
    if (known === undefined || seen.has(name))
      throw new ParseError(url, `does not expect the row ${JSON.stringify(name)}`)
    seen.add(name)
    return readRow(url, known, row[federal] ?? '', row[provincial] ?? '', row.join(' | '))
  })
  if (seen.size !== PROVINCES.size)
    throw new ParseError(url, `looked for ${PROVINCES.size} provinces and found ${seen.size}`)
  const edited = dateModified(document)
  return findings.map((each) => ({ ...each, edited }))
}

type Province = { id: string; own: 'PST' | 'QST' | 'RST' | null; hst: boolean }

function readRow(
  url: string,
  { id, own, hst }: Province,
  federal: string,
  provincial: string,
  evidence: string,
): RateFinding[] {
  const rate = percentage(federal)
  if (rate === null) throw new ParseError(url, `looked for a percentage in ${JSON.stringify(evidence)}`)
  const second = provincial === 'N/A' ? null : percentage(provincial)
  if (hst !== (provincial === 'N/A') || (!hst && second === null))
    throw new ParseError(
      url,
      `looked for ${hst ? 'N/A' : 'a percentage'} as PST in ${JSON.stringify(evidence)}`,
    )
  if (hst) return [finding(id, 'HST', rate, evidence)]
  if (own === null && second !== 0)
    throw new ParseError(url, `knows of no provincial tax in ${id}: ${JSON.stringify(evidence)}`)
  return [
    finding('CA', 'GST', rate, evidence),
    ...(own === null || second === null ? [] : [finding(id, own, second, evidence)]),
  ]
}

function finding(
  jurisdiction_id: string,
  tax_type: RateFinding['tax_type'],
  rate_millionths: number,
  evidence: string,
): RateFinding {
  return {
    kind: 'rates',
    jurisdiction_id,
    tax_type,
    category: 'standard',
    rate_millionths,
    effective_from: null,
    evidence,
  }
}

/** Lines about other bodies: charities and public service bodies have a limit of their own. */
const OTHER_BODIES =
  /public service|charit|non-?\s?profit|not-for-profit|municipalit|school|hospital|university/i

function readThreshold([document]: readonly SourceDocument[], day: string): Finding[] {
  const url = document?.url ?? ''
  const { figure, evidence, effective_from } = saidIn(
    url,
    textLines(document?.text ?? '').filter((line) => !OTHER_BODIES.test(line)),
    /(\$\d{1,3}(?:[,\s]\d{3})+).*four (?:\(4\) )?consecutive calendar quarters/i,
    'the amount over the last four consecutive calendar quarters',
    amountOfMoney,
    day,
  )
  return [
    {
      kind: 'thresholds',
      jurisdiction_id: 'CA',
      threshold_type: 'GST_REGISTRATION',
      scope: 'all',
      amount: figure,
      currency: 'CAD',
      transaction_count: null,
      combinator: null,
      effective_from,
      edited: dateModified(document),
      evidence,
    },
  ]
}
