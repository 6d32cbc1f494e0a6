import { linkTo } from '../address.js'
import { callApi } from '../api.js'
import { element, failureNotice, form } from '../elements.js'
import { choice } from '../parts/choice.js'
import { load, loaded } from '../parts/load.js'
import { jurisdictions, placeNames } from '../parts/names.js'
import { freshnessTable } from '../rates/freshness-table.js'
import { placeRates } from '../rates/place-rates.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../../src/accounts/schemas.ts'
 * @import { Option } from '../parts/choice.js'
 * @import { Page } from '../views.js'
 */

export { showRegion as open } from '../rates/freshness-table.js'

/**
 * The rates of a place with their history, and how fresh each region is. The place is that of the address, or
 * the country of the seller.
 * @param {Page} page
 */
export function show({ place, query }) {
  return load(place, async () => {
    const [options, names, home] = await Promise.all([jurisdictions(), placeNames(), homeOfSeller()])
    const chosen = query.get('place') ?? home
    const found = chosen === null ? [] : await placeRates(chosen, names).catch(failureOf)
    return element(
      'div',
      { class: 'stack' },
      element(
        'section',
        { class: 'card inline', 'aria-label': 'Rates of a place' },
        placeForm(options, chosen),
      ),
      ...found,
      element('h2', {}, 'Freshness by region'),
      loaded(() => freshnessTable(query), { lines: 8 }),
    )
  })
}

/**
 * @param {Option[]} options
 * @param {string | null} chosen
 */
function placeForm(options, chosen) {
  const wanted = choice('Country, state or province', options, { chosen: chosen ?? '', required: true })
  return form('Show its rates', [wanted.shown], () => {
    location.hash = linkTo('rates', { query: new URLSearchParams({ place: wanted.read() ?? '' }) })
    return Promise.resolve()
  })
}

/** @param {unknown} thrown */
function failureOf(thrown) {
  return [failureNotice(thrown)]
}

/** The country of the account; null if the key may not read it, or if it is not set. */
async function homeOfSeller() {
  /** @type {z.output<typeof AccountAnswer> | null} */
  const account = await callApi('GET', '/v1/account').catch(() => null)
  return account?.country ?? null
}
