import { regionsOf } from './names.js'

/** @import { Choice } from './choice.js' */

/**
 * Offers the states or provinces of the chosen country. A country without them hides the field.
 * @param {Choice} country
 * @param {Choice} region
 * @param {string} [chosen] the code of a region
 */
export async function offerRegions(country, region, chosen = '') {
  const regions = await readRegions(country)
  region.offer(regions, chosen)
  region.shown.hidden = regions.length === 0
}

/** @param {Choice} country */
async function readRegions(country) {
  try {
    const code = country.read()
    return code === null ? [] : await regionsOf(code)
  } catch {
    // The field of the country says what is wrong with its name.
    return []
  }
}
