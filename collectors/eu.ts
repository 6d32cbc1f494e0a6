import { XMLParser } from 'fast-xml-parser'
import * as z from 'zod'
import type { RateCategory } from '../src/tax/book/facts.ts'
import {
  type Collector,
  ParseError,
  type Publication,
  type RateFinding,
  type SourceDocument,
  type ThresholdFinding,
} from './collector.ts'
import { amountOfMoney } from './figures.ts'
import { textLines } from './html.ts'

/** The member states as the database writes them: Greece is EL there. */
const STATES = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const MESSAGE = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService'
const ACTION = 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates'

/**
 * Below 5 % only the super-reduced rates of Directive 2006/112/EC, art. 98(2) and 110, may lie, whatever they
 * are called.
 */
const SUPER_REDUCED_BELOW = 50_000

/** The database of rates. Its rows also name what the reduced rates are for: another collector reads that. */
export const tedb: Publication = {
  source: 'European Commission, Taxes in Europe Database (TEDB)',
  source_url: 'https://ec.europa.eu/taxation_customs/tedb/',
  url: 'https://ec.europa.eu/taxation_customs/tedb/ws/VatRetrievalService',
  variable: 'SOURCE_EU_RATES',
  request: (url, day) => ({
    url,
    accept: 'text/xml, application/xml, application/soap+xml',
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: ACTION },
    body: envelope(day),
  }),
  read,
}

const oneStopShop: Publication = {
  source: 'European Commission, VAT e-commerce One Stop Shop',
  source_url: 'https://vat-one-stop-shop.ec.europa.eu/one-stop-shop_en',
  url: 'https://vat-one-stop-shop.ec.europa.eu/one-stop-shop_en',
  variable: 'SOURCE_EU_THRESHOLD',
  request: (url) => ({ url, accept: 'text/html' }),
  read: readThreshold,
}

const yourEurope: Publication = {
  ...oneStopShop,
  source: 'European Union, Your Europe',
  source_url: 'https://europa.eu/youreurope/business/taxation/vat/cross-border-vat/index_en.htm',
  url: 'https://europa.eu/youreurope/business/taxation/vat/cross-border-vat/index_en.htm',
  variable: 'SOURCE_EU_THRESHOLD_TWIN',
}

/**
 * VAT rates of the 27 member states, on the mainland: territories with rates of their own are kept by hand.
 * Of the thresholds only that of distance sales, one for all (Directive 2006/112/EC, art. 59c): those of
 * small businesses are national, and no one page has them.
 */
export const eu: Collector = {
  region: 'EU',
  parts: [
    {
      name: 'VAT rates',
      alternatives: [tedb],
      expected: STATES.map((state) => `${idOf(state)} VAT standard`),
      bounds: { rate: [10_000, 300_000] },
    },
    {
      name: 'Distance sales threshold',
      alternatives: [oneStopShop, yourEurope],
      expected: STATES.map((state) => `${idOf(state)} DISTANCE_SALES all`),
      bounds: { amount: [500_000, 10_000_000] },
    },
  ],
}

function idOf(state: string): string {
  return state === 'EL' ? 'GR' : state
}

function envelope(day: string): string {
  const states = STATES.map((state) => `<t:isoCode>${state}</t:isoCode>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:msg="${MESSAGE}" xmlns:t="${MESSAGE}:types"><soapenv:Header/><soapenv:Body><msg:retrieveVatRatesReqMsg><t:memberStates>${states}</t:memberStates><t:situationOn>${day}</t:situationOn></msg:retrieveVatRatesReqMsg></soapenv:Body></soapenv:Envelope>`
}

const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'vatRateResults',
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000 },
})

const Row = z.object({
  memberState: z.string().regex(/^[A-Z]{2}$/),
  type: z.enum(['STANDARD', 'REDUCED']),
  rate: z.object({
    type: z.string(),
    value: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,4})?$/)
      .optional(),
  }),
  category: z.object({ identifier: z.string() }).optional(),
  comment: z.string().optional(),
})
export type TedbRow = z.output<typeof Row>

const Answer = z.object({
  Envelope: z.object({
    Body: z.object({ retrieveVatRatesRespMsg: z.object({ vatRateResults: z.array(z.unknown()).min(1) }) }),
  }),
})

/** What the database says of each member state, by its code there. Throws ParseError. */
export function tedbRows(document: SourceDocument | undefined): Map<string, TedbRow[]> {
  const url = document?.url ?? ''
  const answer = Answer.safeParse(parser.parse(document?.text ?? '', true))
  if (!answer.success) throw new ParseError(url, 'looked for retrieveVatRatesRespMsg with vatRateResults')
  const rows = answer.data.Envelope.Body.retrieveVatRatesRespMsg.vatRateResults.map((each) => {
    const row = Row.safeParse(each)
    if (!row.success)
      throw new ParseError(url, `does not understand the row ${JSON.stringify(each).slice(0, 200)}`)
    return row.data
  })
  return Map.groupBy(rows, (row) => row.memberState)
}

function read([document]: readonly SourceDocument[]): RateFinding[] {
  return [...tedbRows(document)].flatMap(([state, own]) => readState(document?.url ?? '', state, own))
}

function readState(url: string, state: string, rows: readonly TedbRow[]): RateFinding[] {
  const mainland = rows.filter((row) => row.category?.identifier !== 'REGION')
  const standard = distinct(
    mainland.filter((row) => row.type === 'STANDARD' && row.rate.type === 'DEFAULT' && !isQualified(row)),
  )
  const [only] = standard
  if (only === undefined || standard.length > 1)
    throw new ParseError(url, `looked for one standard rate of ${state} and found ${standard.length}`)
  const lower = distinct(
    mainland.filter((row) => row.type === 'REDUCED' && /^(SUPER_)?REDUCED_RATE$/.test(row.rate.type)),
  ).filter((rate) => rate !== only)
  const reduced = lower.filter((rate) => rate >= SUPER_REDUCED_BELOW)
  const superReduced = lower.filter((rate) => rate > 0 && rate < SUPER_REDUCED_BELOW)
  const parking = distinct(mainland.filter((row) => row.rate.type === 'PARKING_RATE'))
  return [
    finding(state, 'standard', only),
    // With a third band nobody could tell which is which: what is ambiguous is left alone, and ages.
    ...(reduced.length <= 2
      ? reduced.map((rate, index) => finding(state, index === 0 ? 'reduced' : 'reduced_2', rate))
      : []),
    ...(superReduced.length === 1 ? superReduced.map((rate) => finding(state, 'super_reduced', rate)) : []),
    ...(parking.length === 1 ? parking.map((rate) => finding(state, 'parking', rate)) : []),
  ]
}

/**
 * `VAT - Canary Islands -`: a rate for something else than the mainland's ordinary sales. Legal citations in
 * HTML are no qualification.
 */
export function isQualified({ comment }: TedbRow): boolean {
  return comment !== undefined && /^\s*VAT\s*-\s*.+?\s*-\s*$/.test(comment)
}

function distinct(rows: readonly TedbRow[]): number[] {
  const rates = rows.flatMap(({ rate }) =>
    rate.value === undefined ? [] : [Math.round(Number(rate.value) * 10_000)],
  )
  return [...new Set(rates)].toSorted((a, b) => a - b)
}

/** The date of a row is that of the question, not the day from which the rate holds. */
function finding(state: string, category: RateCategory, rate_millionths: number): RateFinding {
  const jurisdiction_id = idOf(state)
  const evidence = `${state} ${category} ${rate_millionths / 10_000}`
  return {
    kind: 'rates',
    jurisdiction_id,
    tax_type: 'VAT',
    category,
    rate_millionths,
    effective_from: null,
    evidence,
  }
}

/** One sum for all states, which their sellers compare with what they sell to all the others together. */
function readThreshold([document]: readonly SourceDocument[]): ThresholdFinding[] {
  const amounts = new Map<number, string>()
  for (const line of textLines(document?.text ?? '')) {
    if (!/threshold/i.test(line) || !/distance sales|cross-border|electronic/i.test(line)) continue
    for (const [text] of line.matchAll(
      /(?:EUR|€)\s?\d{1,3}(?:[,.\s]\d{3})+|\d{1,3}(?:[,.\s]\d{3})+\s?(?:EUR|€)/g,
    )) {
      const amount = amountOfMoney(text)
      if (amount !== null) amounts.set(amount, line)
    }
  }
  const [found, another] = amounts
  if (found === undefined || another !== undefined)
    throw new ParseError(
      document?.url ?? '',
      `looked for the one threshold of distance sales and found ${amounts.size}`,
    )
  const [amount, evidence] = found
  return STATES.map((state) => ({
    kind: 'thresholds',
    jurisdiction_id: idOf(state),
    threshold_type: 'DISTANCE_SALES',
    scope: 'all',
    amount,
    currency: 'EUR',
    transaction_count: null,
    combinator: null,
    effective_from: null,
    evidence,
  }))
}
