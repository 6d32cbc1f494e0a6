import * as z from 'zod'
import type { RateCategory } from '../src/engine/book/facts.ts'
import type { RateBook } from '../src/engine/book/rate-book.ts'
import {
  type Collector,
  type Finding,
  ParseError,
  type Publication,
  type SourceDocument,
} from './collector.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { columnOf, tableWithHeaders, textLines } from './html.ts'
import { type Said, saidIn } from './sentences.ts'

/** An item of the GOV.UK content API: its text is HTML in `details.body`. */
const Item = z.object({
  base_path: z.string(),
  schema_name: z.string(),
  /** The last major update. A correction may be a minor one, which moves `updated_at` alone. */
  public_updated_at: z.string().regex(/^\d{4}-\d{2}-\d{2}T/),
  updated_at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T/)
    .optional(),
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

/** The notice about the end of a registration contains the same sentence. */
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
      bounds: { rate: { standard: [150_000, 250_000], reduced: [30_000, 100_000], zero: [0, 0] } },
    },
    {
      name: 'VAT registration threshold',
      alternatives: [registration, deregistration],
      expected: ['GB VAT_REGISTRATION all'],
      bounds: { amount: [5_000_000, 15_000_000] },
    },
  ],
}

/** The HTML of an item of the content API, and the day of its last edit. Throws ParseError. */
export function contentItem(document: SourceDocument | undefined): { body: string; edited: string } {
  const url = document?.url ?? ''
  const item = Item.safeParse(parseJson(document?.text ?? '', url))
  if (!item.success)
    throw new ParseError(url, 'looked for an item of the content API with public_updated_at and details.body')
  const { schema_name, withdrawn_notice, details, public_updated_at, updated_at = '' } = item.data
  if (schema_name === 'redirect' || schema_name === 'gone')
    throw new ParseError(url, `the item is ${schema_name}`)
  if (withdrawn_notice && Object.keys(withdrawn_notice).length > 0)
    throw new ParseError(url, 'the item has been withdrawn')
  return { body: details.body, edited: [public_updated_at, updated_at].toSorted()[1]?.slice(0, 10) ?? '' }
}

function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ParseError(url, 'looked for JSON')
  }
}

/**
 * Northern Ireland and the Isle of Man have the same rates: VATA 1994, s. 40A; Isle of Man Act 1979, s. 1.
 * Only rates that are on file for them are read.
 */
const SAME_LAW = ['GB', 'XI', 'IM'] as const

function readRates([document]: readonly SourceDocument[], day: string, book: RateBook): Finding[] {
  const url = document?.url ?? ''
  const { body, edited } = contentItem(document)
  const table = tableWithHeaders(body, 'Rate', '% of VAT')
  if (table === null) throw new ParseError(url, 'looked for the one table with the columns Rate and % of VAT')
  const [name, percent] = [columnOf(table, 'Rate'), columnOf(table, '% of VAT')]
  const rows = table.rows.map((row) => {
    const label = row[name] ?? ''
    const category = CATEGORIES.find(([pattern]) => pattern.test(label))?.[1]
    const rate_millionths = percentage(row[percent] ?? '')
    if (category === undefined || rate_millionths === null)
      throw new ParseError(url, `does not understand the row ${JSON.stringify(row.slice(0, 2).join(' | '))}`)
    return { category, rate_millionths, evidence: `${label} | ${row[percent] ?? ''}` }
  })
  const sentence = sentenceAbout(url, body, rows, day)
  return rows.flatMap((row) =>
    SAME_LAW.filter((id) => id === 'GB' || isOnFile(book, id, row.category)).map((jurisdiction_id) => ({
      ...row,
      kind: 'rates' as const,
      jurisdiction_id,
      tax_type: 'VAT' as const,
      effective_from: row.category === 'standard' ? sentence.effective_from : null,
      edited,
    })),
  )
}

function isOnFile(book: RateBook, id: string, category: RateCategory): boolean {
  return book.rates.get(id)?.some((rate) => rate.tax_type === 'VAT' && rate.category === category) === true
}

type Row = { category: RateCategory; rate_millionths: number }

/** The sentence above the table repeats the standard rate, and may name the day of a change. */
function sentenceAbout(url: string, body: string, rows: readonly Row[], day: string): Said {
  const said = saidIn(
    url,
    textLines(body),
    /^The standard VAT rate is (\d+(?:\.\d+)?%)/,
    'the sentence "The standard VAT rate is …" that agrees with the table',
    percentage,
    day,
  )
  if (
    rows.some(({ category, rate_millionths }) => category === 'standard' && rate_millionths !== said.figure)
  )
    throw new ParseError(
      url,
      'looked for the sentence "The standard VAT rate is …" that agrees with the table',
    )
  return said
}

function readThreshold([document]: readonly SourceDocument[], day: string): Finding[] {
  const { body, edited } = contentItem(document)
  const { figure, evidence, effective_from } = saidIn(
    document?.url ?? '',
    textLines(body),
    /current registration threshold for taxable supplies is (£\d{2,3},\d{3})\b/i,
    'the sentence "The current registration threshold for taxable supplies is £…"',
    amountOfMoney,
    day,
  )
  return [
    {
      kind: 'thresholds',
      jurisdiction_id: 'GB',
      threshold_type: 'VAT_REGISTRATION',
      scope: 'all',
      amount: figure,
      currency: 'GBP',
      transaction_count: null,
      combinator: null,
      effective_from,
      edited,
      evidence,
    },
  ]
}
