import { dayOfRequest } from './day-of-request.ts'
import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { Jurisdiction, Rate } from '../../engine/book/facts.ts'
import { treatProduct } from '../../engine/book/product-rules.ts'
import { productInSentence, supplyKind } from '../../engine/book/product-types.ts'
import type { LayerTreatment } from '../../engine/book/layer.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import { bearsLocalTax, isTaxedLocally } from '../../engine/terms/charges.ts'
import { findPlace, lawOf } from '../../engine/supply/place.ts'
import type { LocalTax } from '../../engine/regimes/us-local/local-stack.ts'
import { rateOfOwnTaxes } from '../../engine/regimes/us-local/own-taxes.ts'
import type { Address } from '../../engine/sale/sale.ts'
import { dataVersionOf } from '../../tax-data/records/data-version.ts'
import { type CityRate, cityRatesAt } from './city-rates.ts'
import { type LocalRates, type LocalRatesQuestion, localRatesAt } from './local-rates.ts'
import { presentLocal } from './present-local.ts'
import { ruleStatusOf, notesOn } from '../../engine/terms/rule-status.ts'
import { futureNotes } from './future-notes.ts'
import { REGIMES } from '../../engine/regimes/list.ts'
import { requireTypeIfNamed } from '../../tax-data/product-codes/product-of-code.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { findJurisdiction, requireOwnTax } from '../../tax-data/records/find-jurisdiction.ts'
import { metaOfAssessment } from '../../tax-data/records/meta.ts'
import { presentRate } from '../../tax-data/records/present-facts.ts'
import { ratesOfJurisdiction, whyNoRate } from '../../tax-data/records/rates-of-jurisdiction.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { RatesAnswer, TaxedJurisdiction } from './answers.ts'
import type { RatesQuery } from './rule-schemas.ts'

type RatesRequest = z.output<typeof RatesQuery>

/**
 * The rates of a jurisdiction or of an address, with the federal tax that applies there, or of a region, in
 * force on a day.
 */
export async function listRates(
  context: Context,
  requested: RatesRequest,
): Promise<Answer<typeof RatesAnswer>> {
  const query = { ...requested, product_type: await requireTypeIfNamed(requested.product_type) }
  const book = await bookFor(context, query.data_version ?? null)
  const day = dayOfRequest(context, query.date)
  const address = addressOfQuery(query)
  if (query.jurisdiction === undefined && query.region === undefined && address === null)
    throw fieldError('invalid_request', 'jurisdiction', 'give jurisdiction, region or postal_code')
  const jurisdiction = address === null ? jurisdictionOfQuery(book, query) : jurisdictionAt(book, address)
  const { local, cities } = await localAnswerAt(context, book, address, {
    day,
    product_type: query.product_type ?? 'physical_goods',
    data_version: query.data_version ?? null,
  })
  const { region } = query
  if (jurisdiction !== null && region !== undefined && jurisdiction.region !== region) {
    throw fieldError('invalid_request', 'region', `${jurisdiction.id} is not in region ${region}`)
  }
  const rates =
    jurisdiction === null
      ? ratesOfRegion(book, region ?? '', day)
      : ratesOfJurisdiction(book, jurisdiction, day)
  const treated =
    query.product_type === undefined || jurisdiction === null
      ? null
      : treatProductOn(book, requireOwnTax(book, jurisdiction, 'jurisdiction'), query.product_type, day)
  const outside = isOutsideLaw(jurisdiction, query.product_type)
  const uncovered = outside && treated?.some(({ rule }) => rule !== null) !== true
  const chosen = uncovered ? null : treated
  const shown = uncovered
    ? []
    : rates.filter((rate) => chosen?.some((treatment) => isRateOfTreatment(treatment, rate)) ?? true)
  return {
    jurisdiction: jurisdiction === null ? null : presentJurisdiction(jurisdiction),
    date: day,
    combined_rate:
      jurisdiction === null || uncovered ? null : combinedRate(book, jurisdiction, rates, chosen, local),
    local: presentLocal(local?.tax ?? null),
    ...(cities.length > 0 && { cities }),
    rates: shown.map(presentRate),
    total: shown.length,
    rule: chosen === null ? null : ruleStatusOf(chosen),
    notes: [
      ...(jurisdiction !== null && rates.length === 0 ? [whyNoRate(book, jurisdiction, day)] : []),
      ...(outside && query.product_type !== undefined ? [outsideNote(query.product_type, uncovered)] : []),
      ...(chosen === null ? [] : notesOn(book, chosen, day)),
      ...futureNotes(day, context),
    ],
    meta: metaOfAssessment(
      book,
      shown,
      chosen?.flatMap((treatment) => treatment.rule ?? []) ?? [],
      context.now,
      dataVersionOf(book.version, local?.book ?? null),
    ),
  }
}

/** Whether the service computes no tax on a product in a jurisdiction. A rule may still name its rate. */
function isOutsideLaw(jurisdiction: Jurisdiction | null, product_type: string | undefined): boolean {
  const kind = product_type === undefined ? undefined : supplyKind(product_type)
  return kind !== undefined && jurisdiction !== null && lawOf(jurisdiction).sells?.includes(kind) === false
}

function outsideNote(product_type: string, uncovered: boolean): string {
  const product = productInSentence(product_type)
  return uncovered
    ? `A sale of ${product} is not covered there: no rate is on file, but tax may be due`
    : `The rate of ${product} is on file, but a sale of it there is not calculated: not_supported`
}

/** The local taxes at an address, if one is asked for, with the cities that may decide them. */
async function localAnswerAt(
  context: Context,
  book: RateBook,
  address: Address | null,
  asked: Omit<LocalRatesQuestion, 'address'>,
): Promise<{ local: LocalRates | null; cities: CityRate[] }> {
  if (address === null) return { local: null, cities: [] }
  const question = { ...asked, address }
  const local = await localRatesAt(context, book, question)
  if (local === null) return { local, cities: [] }
  const cities = await cityRatesAt(context, book, { tax: local.tax, local: local.book }, question)
  return { local, cities }
}

/** The address whose rates are asked for; null: a jurisdiction or a region is. Throws invalid_request. */
function addressOfQuery({ jurisdiction, region, country, postal_code, city }: RatesRequest): Address | null {
  const [given] = [country && 'country', city && 'city'].filter((name) => name !== undefined)
  if (postal_code === undefined) {
    if (given === undefined) return null
    throw fieldError('invalid_request', given, 'give postal_code too')
  }
  if (country === undefined) throw fieldError('invalid_request', 'country', 'is required with postal_code')
  if (jurisdiction !== undefined || region !== undefined)
    throw fieldError('invalid_request', 'postal_code', 'give it without jurisdiction and region')
  return { country, postal_code, city: city ?? null }
}

function jurisdictionOfQuery(book: RateBook, { jurisdiction }: RatesRequest): Jurisdiction | null {
  return jurisdiction === undefined ? null : findJurisdiction(book, jurisdiction, 'jurisdiction')
}

/** The jurisdiction of an address. Throws a Refusal for a field of the query, or invalid_jurisdiction. */
function jurisdictionAt(book: RateBook, address: Address): Jurisdiction {
  const place = withFieldsOf(ADDRESS_FIELDS, () => findPlace(book, address, 'address'))
  return findJurisdiction(book, place.jurisdiction_id, 'postal_code')
}

const ADDRESS_FIELDS = {
  'address.postal_code': 'postal_code',
  'address.region': 'postal_code',
  address: 'postal_code',
}

/**
 * Whether the treatment used this rate record. Zero-rated: the zero-rate record, if there is one. Exempt: no
 * record.
 */
function isRateOfTreatment(
  { taxed, zero_rated, rate, standard, layer }: LayerTreatment,
  candidate: Rate,
): boolean {
  if (taxed) return (rate ?? standard) === candidate
  return zero_rated && candidate.category === 'zero' && candidate.tax_type === layer.tax_type
}

/** How the query names the engine's parameters. */
const RATES_FIELDS = { day: 'date' }

function treatProductOn(
  book: RateBook,
  jurisdiction: Jurisdiction,
  product_type: string,
  day: string,
): LayerTreatment[] {
  const layers = lawOf(jurisdiction).taxes(book, jurisdiction.id)
  return withFieldsOf(RATES_FIELDS, () => treatProduct(book, layers, product_type, false, day))
}

function ratesOfRegion(book: RateBook, region: string, day: string): Rate[] {
  return book.facts.rates.filter(
    (rate) => book.jurisdictions.get(rate.jurisdiction_id)?.region === region && inForce(rate, day),
  )
}

/** The rate that a consumer pays: the sum of the standard rates, or of the rates for the product. */
function combinedRate(
  book: RateBook,
  jurisdiction: Jurisdiction,
  rates: readonly Rate[],
  chosen: readonly LayerTreatment[] | null,
  local: LocalRates | null,
): number | null {
  const ofLocal = local?.tax.stack.rate ?? 0
  if (chosen !== null) {
    const added = chosen.some((treatment) => local !== null && isLocalBase(treatment, local.tax))
      ? ofLocal
      : 0
    const sum = chosen.reduce((all, treatment) => all + (treatment.taxed ? treatment.rate_millionths : 0), 0)
    const own = local !== null && chosen.some(({ taxed }) => taxed) ? rateOfOwnTaxes(local.tax) : 0
    return (sum + added + own) / MILLION
  }
  const layers = lawOf(jurisdiction).taxes(book, jurisdiction.id)
  const standard = rates.filter((rate) => rate.category === 'standard')
  if (standard.length < layers.length) return null
  return standard.reduce((sum, rate) => sum + rate.rate_millionths, ofLocal) / MILLION
}

function isLocalBase(treatment: LayerTreatment, tax: LocalTax): boolean {
  return (treatment.taxed && bearsLocalTax(treatment, tax)) || isTaxedLocally(treatment, tax)
}

function presentJurisdiction(jurisdiction: Jurisdiction): Answer<typeof TaxedJurisdiction> {
  const { id, name, type, region, currency, tax_system } = jurisdiction
  const coverage = REGIMES[region].localTax === null ? 'full' : 'state'
  return { id, name, type, region, currency, tax_system, coverage }
}
