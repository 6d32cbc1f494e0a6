import type { CountryLaw } from '../book/countries.ts'
import type { Region } from '../book/regions.ts'
import { nationalGst } from './national-gst.ts'
import type { RegimeLaw } from './regime.ts'

const made = new WeakMap<CountryLaw, RegimeLaw>()

/**
 * The law of a country of which the service knows what sellers abroad charge for digital services. Sales
 * within it, its exports, and other services are not covered: an answer says so.
 */
export function lawOfCountry(id: Region, country: CountryLaw): RegimeLaw {
  const law = made.get(country) ?? inboundDigital(id, country)
  made.set(country, law)
  return law
}

function inboundDigital(id: Region, country: CountryLaw): RegimeLaw {
  const { name, act, since, section, business, everybody, marketplace, goods, tax = 'VAT' } = country
  const { rounding, tax_unit, registration, caveat } = country
  return nationalGst({
    id,
    name,
    act,
    ...(tax === 'VAT' && { tax }),
    checked_from: since,
    home: null,
    exports: null,
    covers: `digital services of sellers abroad${goods === undefined ? '' : ` and ${goods.words}`}`,
    sells: goods === undefined ? ['digital'] : ['digital', 'goods'],
    remote: {
      digital: since,
      service: 'not_covered',
      section,
      detail: 'Digital services of sellers abroad are taxed where the customer is',
    },
    business: business && {
      outcome: 'reverse_charge',
      section: business.section,
      detail: 'The customer is a business and accounts for the tax itself',
    },
    ...(everybody !== undefined && { everybody }),
    ...(caveat !== undefined && { caveat }),
    ...(rounding !== undefined && { rounding }),
    ...(tax_unit !== undefined && { tax_unit }),
    ...(registration !== undefined && { registration }),
    imports: goods?.imports ?? null,
    marketplace: marketplace ?? [],
    ...(marketplace === null && { marketplace_on_file: false }),
  })
}
