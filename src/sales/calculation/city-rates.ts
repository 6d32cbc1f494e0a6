import type { Reader } from '../../platform/context.ts'
import { type LocalRatesQuestion, localRatesAt } from './local-rates.ts'
import { presentLocal } from './present-local.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { CityRateAnswer } from './answers.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { citiesNear } from '../../engine/regimes/us-local/cities-of-counties.ts'
import type { LocalTax } from '../../engine/regimes/us-local/local-stack.ts'

/** The largest counties have some dozens of cities with a tax. */
const CITIES_MAX = 60

export type CityRate = Answer<typeof CityRateAnswer>

/**
 * The cities that may touch the ZIP of an address, by name, with the local rate in each. Empty: a city is
 * named, or something nearer than the county decides: only then may a city add a tax.
 */
export async function cityRatesAt(
  reader: Reader,
  book: RateBook,
  { tax, local }: { tax: LocalTax; local: LocalBook },
  question: LocalRatesQuestion,
): Promise<CityRate[]> {
  const { city: given, postal_code } = question.address
  const [zip5] = /^\d{5}/.exec(postal_code ?? '') ?? []
  if (given !== null || zip5 === undefined || tax.precision !== 'county') return []
  const counties = new Set(tax.stack.parts.flatMap(({ county_fips }) => county_fips ?? []))
  const states = new Set(tax.stack.parts.map(({ state }) => state))
  const inside = [...states].flatMap((state) => {
    const places = local.state(state)
    return places === null ? [] : citiesNear(places, zip5, counties)
  })
  const names = [...new Set(inside.map(({ name }) => name))].toSorted().slice(0, CITIES_MAX)
  const rates = await Promise.all(
    names.map(async (city) => {
      const there = { ...question, address: { ...question.address, city } }
      return presentLocal((await localRatesAt(reader, book, there))?.tax ?? null)
    }),
  )
  return names.flatMap((name, index) => {
    const found = rates[index] ?? null
    return found === null || found.precision === 'county' ? [] : [{ name, rate: found.rate }]
  })
}
