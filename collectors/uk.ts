import * as z from 'zod'
import {
  type Collector,
  type Finding,
  ParseError,
  type Publication,
  type SourceDocument,
} from './collector.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { columnOf, tableWithHeaders, textLines } from './html.ts'

/** An item of the GOV.UK content API: what it says stands in HTML in `details.body`. */
const Item = z.object({
  base_path: z.string(),
  schema_name: z.string(),
  withdrawn_notice: z.union([z.record(z.string(), z.unknown()), z.null()]).optional(),
  details: z.object({ body: z.string().min(1) }),
})

const CATEGORIES = [
  [/^standard( rate)?$/i, 'standard'],
  [/^reduced( rate)?$/i, 'reduced'],
  [/^zero( rate)?$/i, 'zero'],
] as const

const rates: Publication = {
  source: 'GOV.UK, VAT rates',
  source_url: 'https://www.gov.uk/vat-rates',
  url: 'https://www.gov.uk/api/content/vat-rates',
  variable: 'SOURCE_UK_RATES',
  request: (url) => ({ url, accept: 'application/json' }),
  read: readRates,
}

const registration: Publication = {
  source: 'HM Revenue & Customs, VAT Notice 700/1 supplement',
  source_url:
    'https://www.gov.uk/government/publications/vat-notice-7001-should-i-be-registered-for-vat/vat-notice-7001-supplement--2',
  url: 'https://www.gov.uk/api/content/government/publications/vat-notice-7001-should-i-be-registered-for-vat/vat-notice-7001-supplement--2',
  variable: 'SOURCE_UK_THRESHOLD',
  request: (url) => ({ url, accept: 'application/json' }),
  read: readThreshold,
}

/** The twin of the notice, for the end of a registration, says the same sentence. */
const deregistration: Publication = {
  ...registration,
  source: 'HM Revenue & Customs, VAT Notice 700/11 supplement',
  source_url:
    'https://www.gov.uk/government/publications/vat-notice-70011-cancelling-your-registration/vat-notice-70011-supplement',
  url: 'https://www.gov.uk/api/content/government/publications/vat-notice-70011-cancelling-your-registration/vat-notice-70011-supplement',
  variable: 'SOURCE_UK_THRESHOLD_TWIN',
}

/** VAT of the United Kingdom: VATA 1994, s. 2 (standard rate), s. 29A (reduced), sch. 1 (registration). */
export const uk: Collector = {
  region: 'UK',
  parts: [
    {
      name: 'VAT rates',
      alternatives: [rates],
      expected: ['GB VAT standard', 'GB VAT reduced', 'GB VAT zero'],
      bounds: { rate: [0, 250_000] },
    },
    {
      name: 'VAT registration threshold',
      alternatives: [registration, deregistration],
      expected: ['GB VAT_REGISTRATION all'],
      bounds: { amount: [5_000_000, 15_000_000] },
    },
  ],
}

/** The HTML of an item of the content API. Throws ParseError for one that was withdrawn or moved. */
export function contentBody(document: SourceDocument | undefined): string {
  const url = document?.url ?? ''
  const item = Item.safeParse(parseJson(document?.text ?? '', url))
  if (!item.success) throw new ParseError(url, 'looked for an item of the content API with details.body')
  const { schema_name, withdrawn_notice, details } = item.data
  if (schema_name === 'redirect' || schema_name === 'gone')
    throw new ParseError(url, `the item is ${schema_name}`)
  if (withdrawn_notice && Object.keys(withdrawn_notice).length > 0)
    throw new ParseError(url, 'the item has been withdrawn')
  return details.body
}

function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ParseError(url, 'looked for JSON')
  }
}

function readRates([document]: readonly SourceDocument[]): Finding[] {
  const url = document?.url ?? ''
  const body = contentBody(document)
  const table = tableWithHeaders(body, 'Rate', '% of VAT')
  if (table === null) throw new ParseError(url, 'looked for the one table with the columns Rate and % of VAT')
  const [name, percent] = [columnOf(table, 'Rate'), columnOf(table, '% of VAT')]
  const findings = table.rows.map((row): Finding => {
    const label = row[name] ?? ''
    const category = CATEGORIES.find(([pattern]) => pattern.test(label))?.[1]
    const rate_millionths = percentage(row[percent] ?? '')
    if (category === undefined || rate_millionths === null)
      throw new ParseError(url, `does not understand the row ${JSON.stringify(row.slice(0, 2).join(' | '))}`)
    return {
      kind: 'rates',
      jurisdiction_id: 'GB',
      tax_type: 'VAT',
      category,
      rate_millionths,
      effective_from: null,
      evidence: `${label} | ${row[percent] ?? ''}`,
    }
  })
  refuseContradiction(url, body, findings)
  return findings
}

/** The sentence above the table says the standard rate again. */
function refuseContradiction(url: string, body: string, findings: readonly Finding[]): void {
  const sentence = textLines(body).find((line) => /^The standard VAT rate is \d/.test(line))
  const said = percentage(/is (\d+(?:\.\d+)?%)/.exec(sentence ?? '')?.[1] ?? '')
  const standard = findings.find((finding) => finding.kind === 'rates' && finding.category === 'standard')
  if (said === null || (standard?.kind === 'rates' && standard.rate_millionths !== said))
    throw new ParseError(
      url,
      'looked for the sentence "The standard VAT rate is …" that agrees with the table',
    )
}

function readThreshold([document]: readonly SourceDocument[]): Finding[] {
  for (const line of textLines(contentBody(document))) {
    const amount = amountOfMoney(
      /current registration threshold for taxable supplies is (£\d{2,3},\d{3})\b/i.exec(line)?.[1] ?? '',
    )
    if (amount !== null)
      return [
        {
          kind: 'thresholds',
          jurisdiction_id: 'GB',
          threshold_type: 'VAT_REGISTRATION',
          scope: 'all',
          amount,
          currency: 'GBP',
          transaction_count: null,
          combinator: null,
          effective_from: null,
          evidence: line,
        },
      ]
  }
  throw new ParseError(
    document?.url ?? '',
    'looked for the sentence "The current registration threshold for taxable supplies is £…"',
  )
}
