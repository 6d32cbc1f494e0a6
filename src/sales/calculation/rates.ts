import { dayOfRequest } from './day-of-request.ts'
import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { Jurisdiction, Rate } from '../../engine/book/facts.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { findPlace, lawOf } from '../../engine/supply/place.ts'
import type { Address } from '../../engine/sale/sale.ts'
import { dataVersionOf } from '../../tax-data/records/data-version.ts'
import { type CityRate, cityRatesAt } from './city-rates.ts'
import { type LocalRates, type LocalRatesQuestion, localRatesAt } from './local-rates.ts'
import { presentLocal } from './present-local.ts'
import { futureNotes } from './future-notes.ts'
import { COUNTRIES_WITH_LOCAL_TAX } from '../../engine/regimes/list.ts'
import { requireTypeIfNamed } from '../../tax-data/product-codes/product-of-code.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { findJurisdiction } from '../../tax-data/records/find-jurisdiction.ts'
import { localBookFor } from '../../tax-data/records/local-book-for.ts'
import { metaOfAssessment } from '../../tax-data/records/meta.ts'
import { presentRate } from '../../tax-data/records/present-facts.ts'
import { ratesOfJurisdiction, whyNoRate } from '../../tax-data/records/rates-of-jurisdiction.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { RatesAnswer, TaxedJurisdiction } from './answers.ts'
import { type RatesAsked, type FoundRates, localTypeOf, ratesOfProduct } from './rates-of-product.ts'
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
  const { product_type: typeAsked } = query
  const { local, cities } = await localAnswerAt(context, book, address, {
    day,
    product_type:
      typeAsked === undefined ? 'physical_goods' : localTypeOf(book, jurisdiction, typeAsked, day),
    data_version: query.data_version ?? null,
  })
  const laws = typeAsked === undefined ? null : await localLawsOf(context, book, jurisdiction, query)
  const { region } = query
  if (jurisdiction !== null && region !== undefined && jurisdiction.region !== region) {
    throw fieldError('invalid_request', 'region', `${jurisdiction.id} is not in region ${region}`)
  }
  const rates =
    jurisdiction === null
      ? ratesOfRegion(book, region ?? '', day)
      : ratesOfJurisdiction(book, jurisdiction, day)
  const found = ratesAt({ book, laws, jurisdiction, rates, day, local }, query.product_type)
  const shown = [...found.used.map(presentRate), ...found.named]
  return {
    jurisdiction: jurisdiction === null ? null : presentJurisdiction(jurisdiction),
    date: day,
    combined_rate: found.combined_millionths === null ? null : found.combined_millionths / MILLION,
    local: presentLocal(local?.tax ?? null),
    ...(cities.length > 0 && { cities }),
    rates: shown,
    total: shown.length,
    rule: found.rule,
    notes: [
      ...(jurisdiction !== null && rates.length === 0 ? [whyNoRate(book, jurisdiction, day)] : []),
      ...found.notes,
      ...futureNotes(day, context),
    ],
    meta: metaOfAssessment(
      book,
      found.used,
      found.rules,
      context.now,
      dataVersionOf(book.version, local?.book ?? laws),
    ),
  }
}

/** Rates of a region or of a place, or for a product there if one is asked for. */
function ratesAt(
  asked: Omit<RatesAsked, 'jurisdiction'> & { jurisdiction: Jurisdiction | null },
  product_type?: string,
): FoundRates {
  const { jurisdiction, rates } = asked
  const found = { used: rates, named: [], rules: [], rule: null, notes: [] }
  if (jurisdiction === null) return { ...found, combined_millionths: null }
  const at = { ...asked, jurisdiction }
  return product_type === undefined
    ? { ...found, combined_millionths: standardRate(at) }
    : ratesOfProduct(at, product_type)
}

/** The sum of the standard rates, in millionths; null: a tax has none. Few products bear a tax on top. */
function standardRate({ book, jurisdiction, rates, local }: RatesAsked): number | null {
  const layers = lawOf(book, jurisdiction)
    .taxes(book, jurisdiction.id)
    .filter(({ on_top }) => on_top !== true)
  const standard = rates.filter(
    ({ category, tax_type }) =>
      category === 'standard' && layers.some((layer) => layer.tax_type === tax_type),
  )
  if (standard.length < layers.length) return null
  return standard.reduce((sum, rate) => sum + rate.rate_millionths, local?.tax.stack.rate ?? 0)
}

/** What the states of a country let their places tax; null: it has no local taxes. */
async function localLawsOf(
  context: Context,
  book: RateBook,
  jurisdiction: Jurisdiction | null,
  { data_version }: RatesRequest,
): Promise<LocalBook | null> {
  if (jurisdiction === null) return null
  const [country = ''] = jurisdiction.id.split('-')
  const places = { customer: { country }, supply: null }
  return localBookFor(context, book, places, data_version ?? null)
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

function ratesOfRegion(book: RateBook, region: string, day: string): Rate[] {
  return book.facts.rates.filter(
    (rate) => book.jurisdictions.get(rate.jurisdiction_id)?.region === region && inForce(rate, day),
  )
}

function presentJurisdiction(jurisdiction: Jurisdiction): Answer<typeof TaxedJurisdiction> {
  const { id, name, type, region, currency, tax_system } = jurisdiction
  const coverage = COUNTRIES_WITH_LOCAL_TAX.includes(region) ? 'state' : 'full'
  return { id, name, type, region, currency, tax_system, coverage }
}
