import {
  type Collector,
  type Finding,
  ParseError,
  type Publication,
  type SourceDocument,
} from './collector.ts'
import { amountOfMoney, percentage } from './figures.ts'
import { textLines } from './html.ts'

const MONEY = String.raw`(\$\d{1,3}(?:[,\s]\d{3})*)`

/**
 * The ATO answers many automated readers with 403, so that the register of licences stands in for the
 * thresholds.
 */
const ato: Publication = {
  source: 'Australian Taxation Office',
  source_url:
    'https://www.ato.gov.au/businesses-and-organisations/gst-excise-and-indirect-taxes/gst/registering-for-gst',
  url: 'https://www.ato.gov.au/businesses-and-organisations/gst-excise-and-indirect-taxes/gst/registering-for-gst',
  variable: 'SOURCE_AU_GST',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readPage,
}

const ablis: Publication = {
  source: 'Australian Business Licence and Information Service',
  source_url: 'https://ablis.business.gov.au/service/ag/goods-and-services-tax-gst-registration/78',
  url: 'https://ablis.business.gov.au/service/ag/goods-and-services-tax-gst-registration/78',
  variable: 'SOURCE_AU_ABLIS',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readPage,
}

const atoRate: Publication = { ...ato, read: readRate }

const businessRate: Publication = {
  source: 'business.gov.au',
  source_url:
    'https://business.gov.au/registrations/register-for-taxes/register-for-goods-and-services-tax-gst',
  url: 'https://business.gov.au/registrations/register-for-taxes/register-for-goods-and-services-tax-gst',
  variable: 'SOURCE_AU_RATE',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readRate,
}

/**
 * Goods and services tax: A New Tax System (Goods and Services Tax) Act 1999, s 9-70 (rate), div 23 and 188
 * (registration).
 */
export const au: Collector = {
  region: 'AU',
  parts: [
    {
      name: 'GST registration thresholds',
      alternatives: [ato, ablis],
      expected: ['AU GST_REGISTRATION all', 'AU GST_REGISTRATION non_profit_body'],
      bounds: { amount: [5_000_000, 30_000_000] },
    },
    {
      name: 'GST rate',
      alternatives: [atoRate, businessRate],
      expected: ['AU GST standard'],
      bounds: { rate: [50_000, 200_000] },
    },
  ],
}

function readPage([document]: readonly SourceDocument[]): Finding[] {
  const lines = textLines(document?.text ?? '')
  const sentence = (pattern: RegExp, what: string) => {
    for (const line of lines) {
      const match = pattern.exec(line)
      const amount = amountOfMoney(match?.[1] ?? '')
      if (amount !== null) return { amount, evidence: line }
    }
    throw new ParseError(document?.url ?? '', `looked for ${what}`)
  }
  return [
    threshold(
      'all',
      sentence(
        new RegExp(`^(?!.*non-profit).*GST turnover.*? of ${MONEY}(?: or more| per year)`, 'i'),
        'the GST turnover at which a business registers',
      ),
    ),
    threshold(
      'non_profit_body',
      sentence(
        new RegExp(`non-profit.*?${MONEY}`, 'i'),
        'the GST turnover at which a non-profit body registers',
      ),
    ),
  ]
}

function threshold(scope: string, { amount, evidence }: { amount: number; evidence: string }): Finding {
  return {
    kind: 'thresholds',
    jurisdiction_id: 'AU',
    threshold_type: 'GST_REGISTRATION',
    scope,
    amount,
    currency: 'AUD',
    transaction_count: null,
    combinator: null,
    effective_from: null,
    evidence,
  }
}

function readRate([document]: readonly SourceDocument[]): Finding[] {
  for (const line of textLines(document?.text ?? '')) {
    const match = /\(GST\) is a .*?tax of (\d{1,2}(?:\.\d+)?\s?%)/i.exec(line)
    const rate_millionths = percentage(match?.[1] ?? '')
    if (rate_millionths !== null)
      return [
        {
          kind: 'rates',
          jurisdiction_id: 'AU',
          tax_type: 'GST',
          category: 'standard',
          rate_millionths,
          effective_from: null,
          evidence: line,
        },
      ]
  }
  throw new ParseError(
    document?.url ?? '',
    'looked for the sentence "Goods and services tax (GST) is a … tax of …%"',
  )
}
