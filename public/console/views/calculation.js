import { callApi, Failure } from '../api.js'
import { calculationResult } from '../calculation/result.js'
import { linesOf } from '../calculation/lines.js'
import { announce, element, field, form, select } from '../elements.js'
import { formatMoney } from '../format.js'
import { choice } from '../parts/choice.js'
import { countries, jurisdictions, placeNames, productNames, productTypes } from '../parts/names.js'
import { offerRegions } from '../parts/region-choice.js'

/**
 * @import { z } from 'zod'
 * @import { AccountAnswer } from '../../../src/accounts/schemas.ts'
 * @import { CalculateAnswer } from '../../../src/calculation/answers.ts'
 * @import { Option } from '../parts/choice.js'
 * @import { Page } from '../views.js'
 * @typedef {z.output<typeof CalculateAnswer>} Calculation
 */

const BEHAVIORS = /** @type {[string, string][]} */ ([
  ['exclusive', 'Without tax'],
  ['inclusive', 'With tax'],
])

/** Registrations that are of no single place. */
const SCHEMES = [
  { value: 'oss_union', name: 'One Stop Shop' },
  { value: 'oss_non_union', name: 'One Stop Shop, non-Union' },
  { value: 'ioss', name: 'Import One Stop Shop' },
]

/** @param {Page} page */
export async function show({ place }) {
  const [offered, products, seller] = await Promise.all([countries(), productTypes(), sellerCountry()])
  const fields = await fieldsOfSale(offered, seller)
  const lines = linesOf(products)
  const result = element('section', { 'aria-label': 'Result' })
  const ask = form(
    'Calculate',
    [element('div', { class: 'fields' }, ...fields.shown), lines.shown],
    async () => {
      result.replaceChildren()
      /** @type {Calculation} */
      const answer = await callApi('POST', '/v1/calculate', {
        body: { ...fields.read(), line_items: lines.read(fields.currency()) },
      })
      result.replaceChildren(...calculationResult(answer, await placeNames(), await productNames()))
      const money = (/** @type {number} */ amount) => formatMoney(amount, answer.currency)
      announce(`Tax ${money(answer.tax_amount)}, total ${money(answer.total)}`)
    },
  )
  place.replaceChildren(element('div', { class: 'halves' }, element('div', { class: 'card' }, ask), result))
}

/** The country of the account; null if the key may not read it, or it has none. */
async function sellerCountry() {
  try {
    /** @type {z.output<typeof AccountAnswer>} */
    const { country } = await callApi('GET', '/v1/account')
    return country
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return null
    throw thrown
  }
}

/**
 * @param {Option[]} offered the countries
 * @param {string | null} account_country
 */
async function fieldsOfSale(offered, account_country) {
  const text = (/** @type {string} */ value = '') =>
    element('input', { value, autocomplete: 'off', spellcheck: 'false' })
  const seller = choice('From', offered, {
    chosen: account_country ?? 'DE',
    hint: 'Where the seller is. Empty: as the account says',
  })
  const registered = choice('Registered in', [...SCHEMES, ...(await jurisdictions())], {
    hint: 'Only if it differs from the account',
  })
  const country = choice('To', offered, { chosen: 'FR', required: true, hint: 'The country of the customer' })
  const region = choice('State or province', [], { hint: 'Empty: from the postal code' })
  const postal_code = text('75002')
  const vat_id = text()
  const currency = text('EUR')
  currency.required = true
  const behavior = select(BEHAVIORS, 'exclusive')
  country.input.addEventListener('change', () => void offerRegions(country, region))
  await offerRegions(country, region)
  const read = () => ({
    currency: currency.value.trim(),
    ...sellerOf(seller.read(), registered.read(), account_country),
    customer: {
      address: {
        country: country.read(),
        region: region.read(),
        postal_code: postal_code.value.trim() || null,
      },
      vat_id: vat_id.value.trim() || null,
    },
    tax_behavior: behavior.value,
    explain: true,
  })
  return {
    read,
    currency: () => currency.value.trim().toUpperCase(),
    shown: [
      seller.shown,
      registered.shown,
      country.shown,
      region.shown,
      field('Postal code', postal_code),
      field('VAT id of the customer', vat_id, 'For a business'),
      field('Currency', currency, 'Three letters'),
      field('Prices', behavior),
    ],
  }
}

/**
 * The seller of the request. Without a difference from the account, its registrations count.
 * @param {string | null} country
 * @param {string | null} registered
 * @param {string | null} account_country
 */
function sellerOf(country, registered, account_country) {
  if (country === null || (country === account_country && registered === null)) return {}
  return { seller: { country, registrations: registered === null ? [] : [registered] } }
}
