import * as z from 'zod'
import type { RateCategory } from '../src/engine/book/facts.ts'
import {
  type Bounds,
  type Collector,
  type LeftOut,
  ParseError,
  type Partly,
  type Publication,
  type RateFinding,
  type SourceDocument,
  type ThresholdFinding,
} from './collector.ts'
import { readXml } from '../src/platform/read-xml.ts'
import { findRate, type RateBook } from '../src/engine/book/rate-book.ts'
import { type Band, BANDS, matchBands } from './bands.ts'
import { amountOfMoney } from './figures.ts'
import { textLines } from './html.ts'

/** The member states as the database writes them: Greece is EL there. */
const STATES = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const MESSAGE = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService'
const ACTION = 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates'

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
    // The answer for 27 states is a megabyte and a half, and has taken most of a minute.
    timeout_ms: 60_000,
    doubtful_bytes: true,
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

/** In the Directive, standard rates are at least 15 % (art. 97); Hungary has the highest, 27 %. */
const RATES: Bounds['rate'] = {
  standard: [150_000, 270_000],
  super_reduced: [10_000, 49_999],
  any: [50_000, 250_000],
}

/**
 * The VAT rates of the 27 member states on the mainland. Territories with rates of their own are kept by
 * hand. Also the threshold of distance sales, which is one for all states (Directive 2006/112/EC, art. 59c).
 * Those of small businesses are national, and no single page has them.
 */
export const eu: Collector = {
  region: 'EU',
  parts: [
    {
      name: 'VAT rates',
      alternatives: [tedb],
      expected: STATES.map((state) => `${idOf(state)} VAT standard`),
      bounds: { rate: RATES },
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
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"',
    ` xmlns:msg="${MESSAGE}" xmlns:t="${MESSAGE}:types"><soapenv:Header/><soapenv:Body>`,
    `<msg:retrieveVatRatesReqMsg><t:memberStates>${states}</t:memberStates>`,
    `<t:situationOn>${day}</t:situationOn></msg:retrieveVatRatesReqMsg>`,
    '</soapenv:Body></soapenv:Envelope>',
  ].join('')
}

const RESULTS = { lists: new Set(['vatRateResults']) }

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
  situationOn: z.string().regex(/^\d{4}-\d{2}-\d{2}/),
  category: z.object({ identifier: z.string() }).optional(),
  comment: z.string().optional(),
  cnCodes: z.unknown().optional(),
  cpaCodes: z.unknown().optional(),
})
export type TedbRow = z.output<typeof Row>

const Answer = z.object({
  Envelope: z.object({
    Body: z.object({ retrieveVatRatesRespMsg: z.object({ vatRateResults: z.array(z.unknown()).min(1) }) }),
  }),
})

/** A third of the member states may be late. If more are, the answer is about another time. */
const LATE_MAX = 9

/**
 * What the database says of each member state, by its code there. A state that has filed nothing for this
 * semester or the one before is late, and one with a row that cannot be understood is odd: each is left out
 * alone. Throws ParseError, also for a state that was not asked for, and for an answer about another time.
 */
export function tedbRows(
  document: SourceDocument | undefined,
  day: string,
): { states: Map<string, TedbRow[]>; left_out: LeftOut[] } {
  const url = document?.url ?? ''
  const answer = Answer.safeParse(readXml(document?.text ?? '', RESULTS))
  if (!answer.success) throw new ParseError(url, 'looked for retrieveVatRatesRespMsg with vatRateResults')
  const odd = new Map<string, string>()
  const rows = answer.data.Envelope.Body.retrieveVatRatesRespMsg.vatRateResults.flatMap((each): TedbRow[] => {
    const row = Row.safeParse(each)
    // A mirror may write GR for Greece.
    if (row.success && !hasDoubtfulBytes(each))
      return [row.data.memberState === 'GR' ? { ...row.data, memberState: 'EL' } : row.data]
    const why = `does not understand the row ${JSON.stringify(each).slice(0, 200)}`
    const state = Of.safeParse(each)
    if (!state.success) throw new ParseError(url, why)
    odd.set(state.data.memberState, `${url}: ${why}`)
    return []
  })
  const foreign = rows.find(({ memberState }) => !STATES.includes(memberState))
  if (foreign !== undefined)
    throw new ParseError(url, `did not ask for the member state ${foreign.memberState}`)
  const situations = rows.map(situationOf)
  const states = Map.groupBy(rows, (row) => row.memberState)
  const late = [...states].filter(([, own]) => own.some((row) => situationOf(row) < earliestSituation(day)))
  const wrong = situations.toSorted()[0] ?? ''
  if (situations.some((situation) => situation > day) || late.length > LATE_MAX)
    throw new ParseError(
      url,
      `asked for the situation on ${day}, and the answer speaks of ` +
        `${situations.find((situation) => situation > day) ?? wrong}`,
    )
  const left_out = [
    ...late.map(([state, own]): LeftOut => {
      const since = own.map(situationOf).toSorted()[0]
      return { jurisdiction_id: idOf(state), kind: 'late', why: `${state} has filed nothing since ${since}` }
    }),
    ...[...odd].map(([state, why]): LeftOut => ({ jurisdiction_id: idOf(state), kind: 'odd', why })),
  ]
  for (const [state] of [...late, ...odd]) states.delete(state)
  return { states, left_out }
}

/** The state of a row that cannot be understood as a whole. */
const Of = z.object({ memberState: z.string().refine((code) => STATES.includes(code)) })

/** Whether a row contains a byte that was not UTF-8: what it says is then uncertain. */
function hasDoubtfulBytes(row: unknown): boolean {
  return JSON.stringify(row).includes('\uFFFD')
}

/** The day without its offset, which would move it in UTC. */
function situationOf({ situationOn }: TedbRow): string {
  return situationOn.slice(0, 10)
}

/**
 * The earliest day that an answer may have. A state's rows have the day of a change, or the first day of a
 * semester: this one, or the one before.
 */
function earliestSituation(day: string): string {
  const year = Number(day.slice(0, 4))
  return day.slice(5) < '07-01' ? `${year - 1}-07-01` : `${year}-01-01`
}

function read([document]: readonly SourceDocument[], day: string, book: RateBook): Partly {
  const url = document?.url ?? ''
  const { states, left_out } = tedbRows(document, day)
  const findings = [...states].flatMap(([state, rows]) => {
    const as_of = rows.map(situationOf).toSorted()[0] ?? day
    const standard = standardOf(rows)
    if (standard.length === 1)
      return readState(state, rows, standard[0] ?? 0, day, book).map((each) => ({ ...each, as_of }))
    const why = `${url}: looked for one standard rate of ${state} and found ${standard.length}`
    left_out.push({ jurisdiction_id: idOf(state), kind: 'odd', why })
    return []
  })
  return { findings, left_out }
}

/** The standard rates of a state on its mainland. There should be one. */
function standardOf(rows: readonly TedbRow[]): number[] {
  return distinct(
    rows.filter(
      (row) =>
        !isOfTerritory(row) && row.type === 'STANDARD' && row.rate.type === 'DEFAULT' && !isQualified(row),
    ),
  )
}

function readState(
  state: string,
  rows: readonly TedbRow[],
  only: number,
  day: string,
  book: RateBook,
): RateFinding[] {
  const mainland = rows.filter((row) => !isOfTerritory(row))
  const lower = mainland.filter((row) => row.type === 'REDUCED' && row.rate.type.endsWith('_RATE'))
  const isParking = (row: TedbRow) =>
    row.rate.type === 'PARKING_RATE' || /^\W*parking\b/i.test(row.comment ?? '')
  const found = {
    reduced: distinct(lower.filter((row) => !isParking(row))).filter((rate) => rate > 0 && rate !== only),
    parking: distinct(lower.filter(isParking)).filter((rate) => rate > 0 && rate !== only),
  }
  const known = bandsInForce(book, idOf(state), day)
  return [
    finding(state, 'standard', only),
    ...matchBands(known, found).map(({ category, rate, doubt }) => ({
      ...finding(state, category, rate),
      ...(doubt !== undefined && { doubt, evidence: `${state} ${category}: ${doubt}` }),
    })),
  ]
}

/** The bands of a state that are on file, below its standard rate. */
function bandsInForce(book: RateBook, id: string, day: string): Band[] {
  return BANDS.flatMap((category) => {
    const rate = findRate(book, id, 'VAT', category, day)
    return rate === undefined ? [] : [{ category, rate: rate.rate_millionths }]
  })
}

/**
 * Whether a rate is not for ordinary sales on the mainland: its comment is like `VAT - Canary Islands -`. A
 * legal citation in HTML does not qualify a rate.
 */
export function isQualified({ comment }: TedbRow): boolean {
  return comment !== undefined && /^\s*VAT\s*-\s*.+?\s*-\s*$/.test(comment)
}

/**
 * Whether a row is about a territory: by its category, by `VAT - Canary Islands - …` (imports are ordinary
 * rows written twice), or by a comment that begins with the name of a territory.
 */
export function isOfTerritory({ category, comment = '', type }: TedbRow): boolean {
  if (category?.identifier === 'REGION') return true
  const place = /^\s*VAT\s*-\s*(.+?)\s*-/.exec(comment)?.[1]
  if (place !== undefined) return type === 'REDUCED' && !/^imports?$/i.test(place)
  return TERRITORY.test(comment.replaceAll(/<[^>]*>/g, ' ').trim())
}

/** Territories with rates of their own: Directive 2006/112/EC, art. 6, 104, 105 and 120. */
const TERRITORY =
  /^(?:(?:only )?(?:for|in|on)\s+)?(?:the\s+)?(?:Canary Islands|Azores|(?:Autonomous Region of )?(?:the )?(?:Azores|Madeira)|Madeira|Corsica|Jungholz|Mittelberg|Martinique|Guadeloupe|R[ée]union|Aegean|Leros|Lesbos|Kos|Samos|Chios|Livigno|Campione|[ÅA]land|B[üu]singen|Heligoland|Ceuta|Melilla|Mount Athos|Monaco)\b/i

function distinct(rows: readonly TedbRow[]): number[] {
  const rates = rows.flatMap(({ rate }) =>
    rate.value === undefined ? [] : [Math.round(Number(rate.value) * 10_000)],
  )
  return [...new Set(rates)].toSorted((a, b) => a - b)
}

/** The date of a row is that of the question, not the first day of the rate. */
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

/** One amount for all states: a seller compares it with its sales to all other states together. */
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
