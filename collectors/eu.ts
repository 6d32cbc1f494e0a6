import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import type { RateCategory } from '../src/tax/facts.ts'
import { type Collector, ParseError, type Publication, type RateFinding, type SourceDocument } from './collector.ts'

/** The member states as the database writes them: Greece is EL there. */
const STATES = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const MESSAGE = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService'
const ACTION = 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates'

/** Below 5 % only the super-reduced rates of Directive 2006/112/EC, art. 98(2) and 110, may lie, whatever they are called. */
const SUPER_REDUCED_BELOW = 50_000

const tedb: Publication = {
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

/** VAT rates of the 27 member states, on the mainland: territories with rates of their own are kept by hand. */
export const eu: Collector = {
  region: 'EU',
  facts_region: 'EU',
  parts: [
    {
      name: 'VAT rates',
      alternatives: [tedb],
      expected: STATES.map((state) => `${state === 'EL' ? 'GR' : state} VAT standard`),
      bounds: { rate: [10_000, 300_000] },
    },
  ],
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
type Row = z.output<typeof Row>

const Answer = z.object({
  Envelope: z.object({ Body: z.object({ retrieveVatRatesRespMsg: z.object({ vatRateResults: z.array(z.unknown()).min(1) }) }) }),
})

function read([document]: readonly SourceDocument[]): RateFinding[] {
  const url = document?.url ?? ''
  const answer = Answer.safeParse(parser.parse(document?.text ?? '', true))
  if (!answer.success) throw new ParseError(url, 'looked for retrieveVatRatesRespMsg with vatRateResults')
  const rows = answer.data.Envelope.Body.retrieveVatRatesRespMsg.vatRateResults.map((each) => {
    const row = Row.safeParse(each)
    if (!row.success) throw new ParseError(url, `does not understand the row ${JSON.stringify(each).slice(0, 200)}`)
    return row.data
  })
  return [...Map.groupBy(rows, (row) => row.memberState)].flatMap(([state, own]) => readState(url, state, own))
}

function readState(url: string, state: string, rows: readonly Row[]): RateFinding[] {
  const mainland = rows.filter((row) => row.category?.identifier !== 'REGION')
  const standard = distinct(mainland.filter((row) => row.type === 'STANDARD' && row.rate.type === 'DEFAULT' && !isQualified(row)))
  const [only] = standard
  if (only === undefined || standard.length > 1)
    throw new ParseError(url, `looked for one standard rate of ${state} and found ${standard.length}`)
  const lower = distinct(mainland.filter((row) => row.type === 'REDUCED' && /^(SUPER_)?REDUCED_RATE$/.test(row.rate.type))).filter(
    (rate) => rate !== only,
  )
  const reduced = lower.filter((rate) => rate >= SUPER_REDUCED_BELOW)
  const superReduced = lower.filter((rate) => rate > 0 && rate < SUPER_REDUCED_BELOW)
  const parking = distinct(mainland.filter((row) => row.rate.type === 'PARKING_RATE'))
  return [
    finding(state, 'standard', only),
    // With a third band nobody could tell which is which: what is ambiguous is left alone, and ages.
    ...(reduced.length <= 2 ? reduced.map((rate, index) => finding(state, index === 0 ? 'reduced' : 'reduced_2', rate)) : []),
    ...(superReduced.length === 1 ? superReduced.map((rate) => finding(state, 'super_reduced', rate)) : []),
    ...(parking.length === 1 ? parking.map((rate) => finding(state, 'parking', rate)) : []),
  ]
}

/** `VAT - Canary Islands -`: a rate for something else than the mainland's ordinary sales. Legal citations in HTML are no qualification. */
function isQualified({ comment }: Row): boolean {
  return comment !== undefined && /^\s*VAT\s*-\s*.+?\s*-\s*$/.test(comment)
}

function distinct(rows: readonly Row[]): number[] {
  const rates = rows.flatMap(({ rate }) => (rate.value === undefined ? [] : [Math.round(Number(rate.value) * 10_000)]))
  return [...new Set(rates)].toSorted((a, b) => a - b)
}

/** The date of a row is that of the question, not the day from which the rate holds. */
function finding(state: string, category: RateCategory, rate_millionths: number): RateFinding {
  const jurisdiction_id = state === 'EL' ? 'GR' : state
  const evidence = `${state} ${category} ${rate_millionths / 10_000}`
  return { kind: 'rates', jurisdiction_id, tax_type: 'VAT', category, rate_millionths, effective_from: null, evidence }
}
