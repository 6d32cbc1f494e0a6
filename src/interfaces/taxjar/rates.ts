import * as z from 'zod'
import { calculateTax } from '../../sales/calculation/calculate.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { ratesOfJurisdiction } from '../../tax-data/records/rates-of-jurisdiction.ts'
import type { Jurisdiction, RateCategory } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import { rateText } from './amounts.ts'
import type { RatesAnswer } from './answers.ts'
import { breakdownOf, type CalculatedOrder } from './breakdown.ts'
import { type CountryForm, DEFAULT_COUNTRY, formOf, postalCode, STREAMLINED } from './countries.ts'
import { currencyOfCountry } from './currency.ts'
import { inTheirWords, TaxJarError } from './errors.ts'
import { refuseStateRateAlone } from './state-rates.ts'
import { jurisdictionsOf } from './jurisdictions.ts'
import { CountryCode, Words } from './schemas.ts'

export const RatesRequest = z.object({
  country: CountryCode.describe('Left out: US'),
  state: Words(100).describe('Its code'),
  city: Words(200).describe('The city of the address'),
  street: Words(300).describe('Not used: the ZIP and the city name the place'),
})

type RatesReply = Answer<typeof RatesAnswer>
type PlaceOfRates = { country: string; state: string | null; city: string | null; zip: string }

/** `GET /v2/rates/:zip`: the rates at a place for goods that a registered seller sends there. */
export async function ratesAt(
  context: Context,
  zip: string,
  query: z.output<typeof RatesRequest>,
): Promise<RatesReply> {
  const { country, state = null, city = null } = query
  const place: PlaceOfRates = { country: country ?? DEFAULT_COUNTRY, state, city, zip }
  return inTheirWords({ state, zip }, async () => {
    const book = await bookFor(context)
    const form = formOf(place.country, jurisdictionOf(book, place.country).region)
    if (form === 'european') return { rate: nationalRates(context, book, place.country) }
    const calculated = await calculateTax(context, saleTo(book, place))
    refuseStateRateAlone(context, calculated)
    // A rate of 0 would be a lie: goods are not covered where only digital services are.
    if (calculated.line_items[0]?.taxability_reason === 'not_supported') throw notCovered(place.country)
    return { rate: localRates(context, calculated, place, form) }
  })
}

/** A sale of goods with shipping to the place, by a seller who is registered there. */
function saleTo(book: RateBook, { country, state, city, zip }: PlaceOfRates) {
  return {
    currency: currencyOfCountry(book, country),
    seller: { country },
    seller_registered: true,
    customer: { address: { country, region: state, city, postal_code: postalCode({ country, zip }) } },
    line_items: [{ amount: 1_000_000, product_type: 'physical_goods' as const }],
    shipping_cost: { amount: 100_000 },
  }
}

function localRates(
  context: Context,
  calculated: CalculatedOrder,
  { country, state, city, zip }: PlaceOfRates,
  form: Exclude<CountryForm, 'european'>,
): RatesReply['rate'] {
  const freight_taxable = (calculated.shipping_cost?.tax_amount ?? 0) > 0
  const combined_rate = textOf(calculated.line_items[0]?.tax_rate ?? 0)
  const names = jurisdictionsOf(context, calculated, { city, zip })
  const shown_state = names.state ?? state ?? ''
  if (form === 'canadian')
    return { zip, ...(city && { city }), state: shown_state, country, combined_rate, freight_taxable }
  if (form === 'national')
    return { zip, country, country_rate: combined_rate, combined_rate, freight_taxable }
  const [line] = breakdownOf(context, calculated, ['1'], false).line_items
  if (line === undefined || !('state_sales_tax_rate' in line))
    throw new TaxJarError(400, `zip ${zip} is not in the United States`)
  return {
    zip,
    ...(STREAMLINED.has(shown_state) && { country, country_rate: '0.0' }),
    state: shown_state,
    state_rate: textOf(line.state_sales_tax_rate),
    county: names.county ?? '',
    county_rate: textOf(line.county_tax_rate),
    city: names.city ?? '',
    city_rate: textOf(line.city_tax_rate),
    combined_district_rate: textOf(line.special_tax_rate),
    combined_rate,
    freight_taxable,
  }
}

function nationalRates(context: Context, book: RateBook, country: string): RatesReply['rate'] {
  const day = todayIn(context.principal.time_zone, context.now)
  const rates = ratesOfJurisdiction(book, jurisdictionOf(book, country), day)
  const of = (category: RateCategory) =>
    rateText(rates.find((rate) => rate.category === category)?.rate_millionths ?? 0)
  return {
    country,
    name: countryName(country),
    standard_rate: of('standard'),
    reduced_rate: of('reduced'),
    super_reduced_rate: of('super_reduced'),
    parking_rate: of('parking'),
    distance_sale_threshold: '0.0',
    freight_taxable: true,
  }
}

function jurisdictionOf(book: RateBook, country: string): Jurisdiction {
  const found = book.jurisdictions.get(country)
  if (found === undefined) throw notCovered(country)
  return found
}

function notCovered(country: string): TaxJarError {
  return new TaxJarError(400, `country ${country} is not covered`)
}

function textOf(fraction: number): string {
  return rateText(Math.round(fraction * 1_000_000))
}
