import type { z } from 'zod'
import type { CountriesAnswer, RegionsAnswer } from '../src/addresses/schemas.ts'
import type { ProductTypesAnswer } from '../src/calculation/answers.ts'
import type { LawRegion } from '../src/http/tax-enums.ts'
import type { JurisdictionsAnswer } from '../src/metadata/schemas.ts'
import { callApi, ifAllowed } from './api.ts'
import { readAll } from './parts/pages.ts'

/** One of the things to choose from. `beside` is shown next to the name while typing. */
export type Option = { value: string; name: string; beside?: string }

/** A jurisdiction with its law and currency. */
export type Place = Option & { region: z.output<typeof LawRegion>; currency: string }

/** Names by id. A name that is not in it is shown as its id. */
export type Names = ReadonlyMap<string, string>

/** Many times the pages of all jurisdictions. */
const PAGES_MAX = 20

/** Each list is read once for each sign-in. */
const lists = new Map<string, Promise<readonly Option[]>>()

/** Forgets the lists, for the sign-out. */
export function forgetNames(): void {
  lists.clear()
}

/** A key without the right to read names sees ids: an empty list is no failure. */
function once<Read extends Option>(name: string, read: () => Promise<Read[]>): Promise<Read[]> {
  const known = lists.get(name)
  // The name decides the type.
  if (known !== undefined) return known as Promise<Read[]>
  const asked = ifAllowed(read()).then((found) => found ?? [])
  lists.set(name, asked)
  asked.catch(() => lists.delete(name))
  return asked
}

/** The countries by name. The value is the code of ISO 3166-1. */
export function countries(): Promise<Option[]> {
  return once('countries', async () => {
    const answer = await callApi<z.output<typeof CountriesAnswer>>('GET', '/v1/addresses/countries')
    return answer.countries.map(({ code, name }) => ({ value: code, name }))
  })
}

/** The states or provinces of a country by name. The value is the code within the country, such as CA. */
export function regionsOf(country: string): Promise<Option[]> {
  return once(`regions of ${country}`, async () => {
    const path = `/v1/addresses/regions/${encodeURIComponent(country)}`
    const answer = await callApi<z.output<typeof RegionsAnswer>>('GET', path)
    return answer.regions.map(({ code, name }) => ({ value: code, name }))
  })
}

/** The product types by name, each with its description. */
export function productTypes(): Promise<Option[]> {
  return once('product types', async () => {
    const answer = await callApi<z.output<typeof ProductTypesAnswer>>('GET', '/v1/metadata/product-types')
    return answer.product_types.map(({ id, name, description }) => ({ value: id, name, beside: description }))
  })
}

/** The names of the product types by id. */
export async function productNames(): Promise<Map<string, string>> {
  return new Map((await productTypes()).map(({ value, name }) => [value, name]))
}

/** The jurisdictions by name. The value is the id, such as US-CA. */
export function jurisdictions(): Promise<Place[]> {
  return once('jurisdictions', async () => {
    const rowsOf = (answer: z.output<typeof JurisdictionsAnswer>) => answer.jurisdictions
    const { rows } = await readAll('/v1/metadata/jurisdictions', { limit: '500' }, rowsOf, PAGES_MAX)
    return rows.map(({ id, name, region, currency }) => ({ value: id, name, beside: id, region, currency }))
  })
}

/** The names of countries and jurisdictions by id: `(await placeNames()).get('US-CA')` is California. */
export async function placeNames(): Promise<Map<string, string>> {
  const [nations, places] = await Promise.all([countries(), jurisdictions()])
  return new Map([...nations, ...places].map(({ value, name }) => [value, name]))
}
