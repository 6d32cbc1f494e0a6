import { callApi } from '../api.js'

/**
 * @import { z } from 'zod'
 * @import { CountriesAnswer, RegionsAnswer } from '../../../src/addresses/schemas.ts'
 * @import { ProductTypesAnswer } from '../../../src/calculation/answers.ts'
 * @import { LawRegion } from '../../../src/http/tax-enums.ts'
 * @import { JurisdictionsAnswer } from '../../../src/metadata/schemas.ts'
 * @import { Option } from './choice.js'
 */

/**
 * A jurisdiction with its law and currency.
 * @typedef {Option & { region: z.output<typeof LawRegion>, currency: string }} Place
 */

/** Each list is read once for each sign-in. @type {Map<string, Promise<unknown>>} */
const lists = new Map()

/** Forgets the lists, for the sign-out. */
export function forgetNames() {
  lists.clear()
}

/**
 * @template Read
 * @param {string} name
 * @param {() => Promise<Read>} read
 * @returns {Promise<Read>}
 */
function once(name, read) {
  const known = /** @type {Promise<Read> | undefined} the name decides the type */ (lists.get(name))
  if (known !== undefined) return known
  const asked = read()
  lists.set(name, asked)
  asked.catch(() => lists.delete(name))
  return asked
}

/** The countries by name. The value is the code of ISO 3166-1. */
export function countries() {
  return once('countries', async () => {
    /** @type {z.output<typeof CountriesAnswer>} */
    const answer = await callApi('GET', '/v1/addresses/countries')
    return answer.countries.map(({ code, name }) => ({ value: code, name }))
  })
}

/**
 * The states or provinces of a country by name. The value is its code within the country, such as CA.
 * @param {string} country
 */
export function regionsOf(country) {
  return once(`regions of ${country}`, async () => {
    /** @type {z.output<typeof RegionsAnswer>} */
    const answer = await callApi('GET', `/v1/addresses/regions/${encodeURIComponent(country)}`)
    return answer.regions.map(({ code, name }) => ({ value: code, name }))
  })
}

/** The product types by name, each with its description. */
export function productTypes() {
  return once('product types', async () => {
    /** @type {z.output<typeof ProductTypesAnswer>} */
    const answer = await callApi('GET', '/v1/metadata/product-types')
    return answer.product_types.map(({ id, name, description }) => ({ value: id, name, beside: description }))
  })
}

/** The names of the product types by id. */
export async function productNames() {
  return new Map((await productTypes()).map(({ value, name }) => [value, name]))
}

/** The jurisdictions by name. The value is the id, such as US-CA. */
export function jurisdictions() {
  return once('jurisdictions', async () => {
    /** @type {Place[]} */
    const found = []
    for (let has_more = true; has_more;) {
      /** @type {z.output<typeof JurisdictionsAnswer>} */
      const page = await callApi('GET', '/v1/metadata/jurisdictions', {
        query: { limit: '500', offset: String(found.length) },
      })
      found.push(
        ...page.jurisdictions.map(({ id, name, region, currency }) => ({
          value: id,
          name,
          beside: id,
          region,
          currency,
        })),
      )
      has_more = page.has_more && page.jurisdictions.length > 0
    }
    return found
  })
}

/** The names of countries and jurisdictions by id: `(await placeNames()).get('US-CA')` is California. */
export async function placeNames() {
  const places = [...(await countries()), ...(await jurisdictions())]
  return new Map(places.map(({ value, name }) => [value, name]))
}
