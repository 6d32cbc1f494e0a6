import { dayOfRequest } from './day-of-request.ts'
import type * as z from 'zod'
import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import type { Jurisdiction, Rate } from '../tax/book/facts.ts'
import { isDefault, type LayerTreatment, treatProduct } from '../tax/book/product-rules.ts'
import { inForce, type RateBook } from '../tax/book/rate-book.ts'
import { withFieldsOf } from '../http/engine-fields.ts'
import { lawOf } from '../tax/place.ts'
import { notesOn } from '../tax/treatment-notes.ts'
import { futureNotes } from './future-notes.ts'
import { REGIMES } from '../tax/regimes/list.ts'
import { bookFor } from '../tax-data/book-for.ts'
import { findJurisdiction, requireOwnTax } from '../tax-data/find-jurisdiction.ts'
import { metaOfAssessment } from '../tax-data/meta.ts'
import { presentRate } from '../tax-data/present-facts.ts'
import { ratesOfJurisdiction } from '../tax-data/rates-of-jurisdiction.ts'
import { REGIONS } from '../regions.ts'
import type { Answer } from '../http/answers.ts'
import type { RatesAnswer, TaxedJurisdiction } from './answers.ts'
import type { RatesQuery } from './schemas.ts'

/**
 * The rates of a jurisdiction, with the federal tax that applies there, or of a region, in force on a day.
 */
export async function listRates(
  context: Context,
  query: z.output<typeof RatesQuery>,
): Promise<Answer<typeof RatesAnswer>> {
  const book = await bookFor(context, query.data_version ?? null)
  const day = dayOfRequest(context, query.date)
  if (query.jurisdiction === undefined && query.region === undefined)
    throw fieldError('invalid_request', 'jurisdiction', 'give jurisdiction or region')
  const jurisdiction =
    query.jurisdiction === undefined ? null : findJurisdiction(book, query.jurisdiction, 'jurisdiction')
  const region = query.region === undefined ? undefined : (REGIONS[query.region].facts ?? undefined)
  if (jurisdiction !== null && region !== undefined && jurisdiction.region !== region) {
    throw fieldError('invalid_request', 'region', `${jurisdiction.id} is not in region ${region}`)
  }
  const rates =
    jurisdiction === null
      ? ratesOfRegion(book, region ?? '', day)
      : ratesOfJurisdiction(book, jurisdiction, day)
  const chosen =
    query.product_type === undefined || jurisdiction === null
      ? null
      : treatProductOn(book, requireOwnTax(book, jurisdiction, 'jurisdiction'), query.product_type, day)
  const shown =
    chosen === null ? rates : rates.filter((rate) => chosen.some((treatment) => isRateOf(treatment, rate)))
  return {
    jurisdiction: jurisdiction === null ? null : presentJurisdiction(jurisdiction),
    date: day,
    combined_rate: jurisdiction === null ? null : combinedRate(book, jurisdiction, rates, chosen),
    rates: shown.map(presentRate),
    total: shown.length,
    rule: chosen === null ? null : chosen.some(isDefault) ? 'default' : 'specific',
    notes: [...(chosen === null ? [] : notesOn(chosen, day)), ...futureNotes(day, context)],
    meta: metaOfAssessment(
      shown,
      chosen?.flatMap((treatment) => treatment.rule ?? []) ?? [],
      context.now,
      book.version,
    ),
  }
}

/**
 * Whether the treatment used this rate record. Zero-rated: the zero-rate record, if there is one. Exempt: no
 * record.
 */
function isRateOf({ taxed, zero_rated, rate, standard, layer }: LayerTreatment, candidate: Rate): boolean {
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
): number | null {
  if (chosen !== null)
    return (
      chosen.reduce((sum, treatment) => sum + (treatment.taxed ? treatment.rate_millionths : 0), 0) /
      1_000_000
    )
  const layers = lawOf(jurisdiction).taxes(book, jurisdiction.id)
  const standard = rates.filter((rate) => rate.category === 'standard')
  if (standard.length < layers.length) return null
  return standard.reduce((sum, rate) => sum + rate.rate_millionths, 0) / 1_000_000
}

function presentJurisdiction(jurisdiction: Jurisdiction): Answer<typeof TaxedJurisdiction> {
  const { id, name, type, region, currency, tax_system } = jurisdiction
  return { id, name, type, region, currency, tax_system, coverage: REGIMES[region].coverage }
}
