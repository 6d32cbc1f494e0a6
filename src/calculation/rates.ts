import { dayOf } from '../days.ts'
import type * as z from 'zod'
import type { Context } from '../context.ts'
import { ApiError, fieldError } from '../errors.ts'
import type { Answer } from '../http/answers.ts'
import type { Jurisdiction, Rate } from '../tax/facts.ts'
import { type LayerTreatment, taxLayers, treatProduct } from '../tax/product-rules.ts'
import { inForce, type RateBook } from '../tax/rate-book.ts'
import { Refusal } from '../tax/refusal.ts'
import type { Rate as RateAnswer, RatesAnswer, TaxedJurisdiction } from './answers.ts'
import { bookFor } from './calculate.ts'
import { metaOfAssessment } from './meta.ts'
import type { RatesQuery } from './schemas.ts'

/**
 * The rates of a jurisdiction, with the federal tax that applies there, or of a region, in force on a day.
 */
export async function listRates(
  context: Context,
  query: z.output<typeof RatesQuery>,
): Promise<Answer<typeof RatesAnswer>> {
  const book = await bookFor(context, query.data_version ?? null)
  const day = query.date ?? dayOf(context.now)
  if (query.jurisdiction === undefined && query.region === undefined)
    throw fieldError('invalid_request', 'jurisdiction', 'or region is required')
  const jurisdiction = query.jurisdiction === undefined ? null : findJurisdiction(book, query.jurisdiction)
  const region = query.region === 'US-TAX' ? 'US' : query.region
  if (jurisdiction !== null && region !== undefined && jurisdiction.region !== region) {
    throw fieldError('invalid_request', 'region', `${jurisdiction.id} does not lie in region ${region}`)
  }
  const rates =
    jurisdiction === null
      ? ratesOfRegion(book, region ?? '', day)
      : ratesOfJurisdiction(book, jurisdiction, day)
  const chosen =
    query.product_type === undefined || jurisdiction === null
      ? null
      : treatOn(book, refuseWholeUnitedStates(jurisdiction, 'jurisdiction'), query.product_type, day)
  const shown =
    chosen === null ? rates : rates.filter((rate) => chosen.some((treatment) => isRateOf(treatment, rate)))
  return {
    jurisdiction: jurisdiction === null ? null : presentJurisdiction(jurisdiction),
    date: day,
    combined_rate: jurisdiction === null ? null : combinedRate(book, jurisdiction, rates, chosen),
    rates: shown.map(presentRate),
    total: shown.length,
    meta: metaOfAssessment(
      shown,
      chosen?.flatMap((treatment) => treatment.rule ?? []) ?? [],
      context.now,
      book.version,
    ),
  }
}

/**
 * The record that a treatment goes by: of what is zero-rated the one of zero, if there is one; of what is
 * exempt none.
 */
function isRateOf({ taxed, zero_rated, rate, standard, layer }: LayerTreatment, candidate: Rate): boolean {
  if (taxed) return (rate ?? standard) === candidate
  return zero_rated && candidate.category === 'zero' && candidate.tax_type === layer.tax_type
}

/**
 * A jurisdiction by its id; EL and UK are read as GR and GB. Throws NOT_FOUND invalid_jurisdiction, naming
 * the field that it stood in.
 */
export function findJurisdiction(book: RateBook, id: string, field = 'jurisdiction'): Jurisdiction {
  const upper = id.toUpperCase()
  const jurisdiction = book.jurisdictions.get(upper === 'EL' ? 'GR' : upper === 'UK' ? 'GB' : upper)
  if (jurisdiction === undefined) {
    const message = `There is no jurisdiction ${JSON.stringify(id)}`
    throw new ApiError('invalid_jurisdiction', { message, errors: [{ path: field, message }] })
  }
  return jurisdiction
}

/**
 * The United States as a whole levy no sales tax. Throws region_required, naming the field. Canada as a whole
 * levies its GST.
 */
export function refuseWholeUnitedStates(jurisdiction: Jurisdiction, field: string): Jurisdiction {
  if (jurisdiction.id === 'US')
    throw fieldError('region_required', field, 'the country alone does not decide the tax: name a state')
  return jurisdiction
}

/** Asks the engine, which knows the day as that of a sale, for a request that calls it `date`. */
export function askForDate<Answer>(ask: () => Answer): Answer {
  try {
    return ask()
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.path === 'transaction_date')
      throw new Refusal(thrown.reason, 'date', thrown.message)
    throw thrown
  }
}

function treatOn(
  book: RateBook,
  jurisdiction: Jurisdiction,
  product_type: string,
  day: string,
): LayerTreatment[] {
  return askForDate(() => treatProduct(book, jurisdiction.id, product_type, false, day))
}

/** The rates that apply in a jurisdiction on a day, its own and the federal ones. */
export function ratesOfJurisdiction(book: RateBook, jurisdiction: Jurisdiction, day: string): Rate[] {
  const layers = taxLayers(book, jurisdiction.id)
  return layers.flatMap((layer) =>
    (book.rates.get(layer.jurisdiction_id) ?? []).filter(
      (rate) => rate.tax_type === layer.tax_type && inForce(rate, day),
    ),
  )
}

function ratesOfRegion(book: RateBook, region: string, day: string): Rate[] {
  return book.facts.rates.filter(
    (rate) => book.jurisdictions.get(rate.jurisdiction_id)?.region === region && inForce(rate, day),
  )
}

/** What a consumer pays in all: the sum of the standard rates, or of those for the product. */
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
  const layers = taxLayers(book, jurisdiction.id)
  const standard = rates.filter((rate) => rate.category === 'standard')
  if (standard.length < layers.length) return null
  return standard.reduce((sum, rate) => sum + rate.rate_millionths, 0) / 1_000_000
}

function presentJurisdiction({
  id,
  name,
  type,
  region,
  currency,
  tax_system,
}: Jurisdiction): Answer<typeof TaxedJurisdiction> {
  return { id, name, type, region, currency, tax_system, coverage: region === 'US' ? 'state' : 'full' }
}

/** A rate as the API shows it, as a fraction. */
export function presentRate(rate: Rate): Answer<typeof RateAnswer> {
  const {
    id,
    jurisdiction_id,
    tax_type,
    category,
    name,
    rate_millionths,
    effective_from,
    effective_to,
    source,
    source_url,
    last_verified_at,
  } = rate
  return {
    id,
    jurisdiction_id,
    tax_type,
    category,
    name,
    rate: rate_millionths / 1_000_000,
    effective_from,
    effective_to,
    source,
    source_url,
    last_verified_at,
  }
}
