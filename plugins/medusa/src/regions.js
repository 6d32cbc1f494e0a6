const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')
const { IDENTIFIER } = require('./shop')

const OURS = `tp_${IDENTIFIER}`

/**
 * The shop whose provider taxes a country: that of its tax region. Null: another provider does. Without a
 * tax region Medusa asks no provider and charges no tax: it says so aloud.
 */
async function shopOf(container, country) {
  const taxes = container.resolve(Modules.TAX)
  const [region] = await taxes.listTaxRegions({ country_code: country.toLowerCase(), province_code: null })
  if (region !== undefined)
    return isOurs(region.provider_id) ? (await taxes.getProvider(region.provider_id)).shop : null
  const shop = await anyShop(taxes)
  shop?.tell({ outcome: 'no_tax_region', country: country.toUpperCase() })
  return shop
}

async function anyShop(taxes) {
  const [first] = await shopsOf(taxes)
  return first ?? null
}

/** The shops of all our providers that are on, by the id of the provider. */
async function shopsOf(taxes) {
  const ids = (await taxes.listTaxProviders({ is_enabled: true })).map(({ id }) => id).filter(isOurs)
  return Promise.all(ids.toSorted().map(async (id) => (await taxes.getProvider(id)).shop))
}

function isOurs(provider_id) {
  return typeof provider_id === 'string' && provider_id.startsWith(OURS)
}

/** Countries without a tax region that this process has told. */
const toldCountries = new Set()

let checked = false

/** Checks the tax regions at the first calculation of a process. A fault of the check fails no cart. */
async function checkTaxRegionsOnce(container) {
  if (checked) return
  checked = true
  try {
    await checkTaxRegions(container)
  } catch {
    // The job checks them again, and its fault is in the log of Medusa.
  }
}

/** The countries in which the shop sells and Medusa has no tax region. Says those aloud that are not `told`. */
async function checkTaxRegions(container, told = toldCountries) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const taxes = container.resolve(Modules.TAX)
  const { data } = await query.graph({ entity: 'region', fields: ['id', 'countries.iso_2'] })
  const sold = data.flatMap(({ countries }) => countries.map(({ iso_2 }) => iso_2.toLowerCase()))
  const regions = await taxes.listTaxRegions({ province_code: null }, { take: 1_000 })
  const taxed = new Set(regions.map(({ country_code }) => country_code))
  const missing = [...new Set(sold)].filter((country) => !taxed.has(country)).toSorted()
  const shop = await anyShop(taxes)
  for (const country of missing.filter((each) => !told.has(each))) {
    shop?.tell({ outcome: 'no_tax_region', country: country.toUpperCase() })
    told.add(country)
  }
  return missing
}

module.exports = { checkTaxRegions, checkTaxRegionsOnce, shopOf, shopsOf }
