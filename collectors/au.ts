import type { Collector, Finding, Publication, SourceDocument } from './collector.ts'
import { amountIn, percentageIn, type Said } from './sentences.ts'

const MONEY = String.raw`(\$\d{1,3}(?:[,\s]\d{3})*)`

/** The ATO answers many automated readers with 403. Then the register of licences has the thresholds. */
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
      bounds: { amount: [5_000_000, 30_000_000], person },
    },
    {
      name: 'GST rate',
      alternatives: [atoRate, businessRate],
      expected: ['AU GST standard'],
      bounds: { rate: { any: [50_000, 200_000] }, person },
    },
  ],
}

/** The rate is from 2000, the thresholds are from 2007. */
function person(): string {
  return 'has not changed for many years, so a person decides'
}

/** Pages write `non-profit`, `not-for-profit` and `nonprofit`. */
const NON_PROFIT = String.raw`(?:non-?\s?profit|not[-\s]for[-\s]profit)`

function readPage([document]: readonly SourceDocument[], day: string): Finding[] {
  const general = new RegExp(`^(?!.*${NON_PROFIT}).*GST turnover.*? of ${MONEY}(?: or more| per year)`, 'i')
  const nonProfit = new RegExp(`${NON_PROFIT}.*?${MONEY}`, 'i')
  return [
    threshold('all', amountIn(document, general, 'the GST turnover at which a business registers', day)),
    threshold(
      'non_profit_body',
      amountIn(document, nonProfit, 'the GST turnover at which a non-profit body registers', day),
    ),
  ]
}

function threshold(scope: string, { figure, evidence, effective_from }: Said): Finding {
  return {
    kind: 'thresholds',
    jurisdiction_id: 'AU',
    threshold_type: 'GST_REGISTRATION',
    scope,
    amount: figure,
    currency: 'AUD',
    transaction_count: null,
    combinator: null,
    effective_from,
    evidence,
  }
}

function readRate([document]: readonly SourceDocument[], day: string): Finding[] {
  const { figure, evidence, effective_from } = percentageIn(
    document,
    /\(GST\) is a .*?tax of (\d{1,2}(?:\.\d+)?\s?%)/i,
    'the sentence "Goods and services tax (GST) is a … tax of …%"',
    day,
  )
  return [
    {
      kind: 'rates',
      jurisdiction_id: 'AU',
      tax_type: 'GST',
      category: 'standard',
      rate_millionths: figure,
      effective_from,
      evidence,
    },
  ]
}
