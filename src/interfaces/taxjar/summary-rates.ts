import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { localBookFor } from '../../tax-data/records/local-book-for.ts'
import { ratesOfJurisdiction } from '../../tax-data/records/rates-of-jurisdiction.ts'
import { taxedPlaces } from '../../engine/answer/coverage.ts'
import { type LocalBook, localRateOn } from '../../engine/regimes/us-local/local-book.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import type { Place } from '../../engine/regimes/regime.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import type { SummaryRatesAnswer } from './answers.ts'
import { DEFAULT_COUNTRY, formOf, summaryCodeOf } from './countries.ts'
import { regionOf } from './nexus-regions.ts'

type SummaryRow = Answer<typeof SummaryRatesAnswer>['summary_rates'][number]

/**
 * `GET /v2/summary_rates`: the lowest and the average standard rate of each place. The average of a state is
 * that of its counties, without its cities.
 */
export async function summariseRates(context: Context): Promise<Answer<typeof SummaryRatesAnswer>> {
  const book = await bookFor(context)
  const local = await localBookFor(context, book, { customer: { country: DEFAULT_COUNTRY }, supply: null })
  const day = todayIn(context.principal.time_zone, context.now)
  return { summary_rates: taxedPlaces(book).map((place) => rowOf(book, local, place, day)) }
}

function rowOf(book: RateBook, local: LocalBook | null, { jurisdiction_id }: Place, day: string): SummaryRow {
  const jurisdiction = invariant(book.jurisdictions.get(jurisdiction_id), 'a place has a jurisdiction')
  const standard = ratesOfJurisdiction(book, jurisdiction, day).filter(
    ({ category }) => category === 'standard',
  )
  const sum = standard.reduce((total, { rate_millionths }) => total + rate_millionths, 0)
  const region = regionOf(jurisdiction_id)
  const shown = { ...region, country_code: summaryCodeOf(region.country_code) }
  if (formOf(jurisdiction_id) === 'us') {
    const average = sum + (local === null ? 0 : averageOfCounties(local, jurisdiction_id.slice(3), day))
    return { ...shown, minimum_rate: labelled('State Tax', sum), average_rate: labelled('Tax', average) }
  }
  const [first] = standard
  const last = standard.at(-1)
  const lowest = standard.length > 1 && first !== undefined ? first.rate_millionths : sum
  return {
    ...shown,
    minimum_rate: labelled(first?.tax_type ?? 'Tax', lowest),
    average_rate: labelled(last?.tax_type ?? 'Tax', sum),
  }
}

function averageOfCounties(local: LocalBook, state: string, day: string): number {
  const onFile = local.state(state)
  if (onFile === null) return 0
  const rates = [...onFile.counties.values()].map((county) => {
    const districts = county.also.flatMap((id) => onFile.jurisdictions.get(id) ?? [])
    return [county, ...districts].reduce((sum, each) => sum + localRateOn(each, day), 0)
  })
  return rates.length === 0 ? 0 : Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length)
}

/** A rate with at most four decimals, as TaxJar shows it. */
function labelled(label: string, millionths: number) {
  return { label, rate: Math.round(millionths / 100) / 10_000 }
}
