import type { Customer, LawRegion } from '../client/src/schema.ts'
import { ifAllowed, read, readAll } from './api.ts'

/** One of the things to choose from. `beside` is shown next to the name while typing. */
export type Option = { value: string; name: string; beside?: string }

/** A jurisdiction with its law and currency. */
export type Place = Option & { region: LawRegion; currency: string }

/** Many times the pages of all jurisdictions. */
const PAGES_MAX = 20

/** Each list is read once for each sign-in. */
const lists = new Map<string, Promise<readonly Option[]>>()

/** The names of places and product types by id, of all lists that were read. */
const names = new Map<string, string>()

export const NAMES: ReadonlyMap<string, string> = names

/** Forgets the lists, for the sign-out. */
export function forgetNames(): void {
  lists.clear()
  names.clear()
}

/** The name of a country or jurisdiction. One that is not known, or that the key may not read, is its id. */
export function placeName(id: string): string {
  return names.get(id) ?? id
}

export function productName(id: string): string {
  return placeName(id).replaceAll('_', ' ')
}

/** Adds names that an answer has beside its records. */
export function learnNames(found: Iterable<readonly [id: string, name: string]>): void {
  for (const [id, name] of found) names.set(id, name)
}

/** The countries and jurisdictions whose names are known. */
export async function namedPlaces(): Promise<Option[]> {
  const [nations, places] = await Promise.all([countries(), jurisdictions()])
  return [...new Map([...nations, ...places].map(({ value, name }) => [value, { value, name }])).values()]
}

/** An answer, when the names of its places are known, too: rows keep their widths. Ids do for names. */
export async function withNames<Value>(asked: Promise<Value>): Promise<Value> {
  await Promise.allSettled([asked, countries(), jurisdictions()])
  return asked
}

/** A key without the right to read names sees ids: an empty list is no failure. */
function once<Found extends Option>(name: string, ask: () => Promise<Found[]>): Promise<Found[]> {
  const known = lists.get(name)
  // The name decides the type.
  if (known !== undefined) return known as Promise<Found[]>
  const asked = ifAllowed(ask()).then((found) => found ?? [])
  lists.set(name, asked)
  asked.catch(() => lists.delete(name))
  return asked
}

/** Such a list whose names are shown for its ids. */
function named<Found extends Option>(name: string, ask: () => Promise<Found[]>): Promise<Found[]> {
  return once(name, async () => {
    const found = await ask()
    learnNames(found.map((each) => [each.value, each.name]))
    return found
  })
}

/** The countries by name. The value is the code of ISO 3166-1. */
export function countries(): Promise<Option[]> {
  return named('countries', async () => (await read('/v1/addresses/countries')).countries.map(optionOf))
}

/** The states or provinces of a country by name. The value is the code within the country, such as CA. */
export function regionsOf(country: string): Promise<Option[]> {
  const asked = () => read('/v1/addresses/regions/{country}', { country })
  return once(`regions of ${country}`, async () => (await asked()).regions.map(optionOf))
}

function optionOf({ code, name }: { code: string; name: string }): Option {
  return { value: code, name }
}

/** The product types by name, each with its description. */
export function productTypes(): Promise<Option[]> {
  return named('product types', async () => {
    const { product_types } = await read('/v1/metadata/product-types')
    return product_types.map(({ id, name, description }) => ({ value: id, name, beside: description }))
  })
}

/** The jurisdictions by name. The value is the id, such as US-CA. */
export function jurisdictions(): Promise<Place[]> {
  return named('jurisdictions', async () => {
    const path = '/v1/metadata/jurisdictions'
    const { rows } = await readAll(path, { limit: '500' }, (answer) => answer.jurisdictions, PAGES_MAX)
    return rows.map(({ id, name, region, currency }) => ({ value: id, name, beside: id, region, currency }))
  })
}

/** What a customer is called: the name, or else your own reference. */
export function customerName({ name, external_id, id }: Customer): string {
  return name ?? external_id ?? id
}
