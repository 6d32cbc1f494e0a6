import type { Collector, Finding, Publication, SourceDocument } from './collector.ts'
import { amountIn, percentageIn } from './sentences.ts'

const registering: Publication = {
  source: 'Inland Revenue',
  source_url: 'https://www.ird.govt.nz/gst/registering-for-gst',
  url: 'https://www.ird.govt.nz/gst/registering-for-gst',
  variable: 'SOURCE_NZ_GST',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readThreshold,
}

const rate: Publication = {
  source: 'Inland Revenue',
  source_url: 'https://www.ird.govt.nz/gst',
  url: 'https://www.ird.govt.nz/gst',
  variable: 'SOURCE_NZ_RATE',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readRate,
}

/** Goods and services tax: Goods and Services Tax Act 1985, s. 8 (rate), s. 51 (registration). */
export const nz: Collector = {
  region: 'NZ',
  parts: [
    {
      name: 'GST registration threshold',
      alternatives: [registering],
      expected: ['NZ GST_REGISTRATION all'],
      bounds: { amount: [3_000_000, 20_000_000], person },
    },
    {
      name: 'GST rate',
      alternatives: [rate],
      expected: ['NZ GST standard'],
      bounds: { rate: { any: [50_000, 250_000] }, person },
    },
  ],
}

/** The threshold is from 2009 and the rate from 2010. The only source of each is a page without a date. */
function person(): string {
  return 'has not changed for many years, so a person decides'
}

function readThreshold([document]: readonly SourceDocument[], day: string): Finding[] {
  const { figure, evidence, effective_from } = amountIn(
    document,
    /\b(?:was|is) (?:at least |over |more than )?(\$\d{1,3}(?:,\d{3})+)(?: or more)? in the (?:last|past) 12 months/i,
    'the turnover of the last 12 months at which a business registers',
    day,
  )
  return [
    {
      kind: 'thresholds',
      jurisdiction_id: 'NZ',
      threshold_type: 'GST_REGISTRATION',
      scope: 'all',
      amount: figure,
      currency: 'NZD',
      transaction_count: null,
      combinator: null,
      effective_from,
      evidence,
    },
  ]
}

function readRate([document]: readonly SourceDocument[], day: string): Finding[] {
  const { figure, evidence, effective_from } = percentageIn(
    document,
    /\bGST\b.*\bat a rate of (\d{1,2}(?:\.\d+)?\s?%)/i,
    'the sentence "GST is charged at a rate of …%"',
    day,
  )
  return [
    {
      kind: 'rates',
      jurisdiction_id: 'NZ',
      tax_type: 'GST',
      category: 'standard',
      rate_millionths: figure,
      effective_from,
      evidence,
    },
  ]
}
