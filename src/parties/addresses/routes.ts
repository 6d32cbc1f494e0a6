import { feature, route } from '../../platform/http/route.ts'
import { listCountries, listRegions } from './countries.ts'
import { CountriesAnswer, RegionsAnswer, ValidateAddressAnswer, ValidateAddressRequest } from './schemas.ts'
import { validateAddress } from './validate.ts'

const shared = { tag: 'Addresses', scope: 'tax:read' } as const

const serves = ['/v1/addresses/']

export const addressRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/addresses/validate',
    operation: 'validateAddress',
    client: 'addresses.validate',
    summary: 'Bring an address into its usual form, and say what is wrong with it',
    description:
      'Country, region, postal code and their agreement; no street is looked up. A country before ' +
      'the postal code is taken off: `FI-22100` becomes `22100`.',
    body: ValidateAddressRequest,
    example: {
      address: {
        country: 'us',
        region: 'California',
        postal_code: '94105',
        city: 'San Francisco',
        line1: '1 Market St',
      },
    },
    answer: ValidateAddressAnswer,
    handle: (context, { body }) => validateAddress(context, body.address),
  }),
  route({
    ...shared,
    // Customers and sales name countries by their codes, so each key may read the names.
    scope: null,
    method: 'get',
    path: '/v1/addresses/countries',
    operation: 'listCountries',
    client: 'addresses.countries',
    summary: 'List the countries',
    answer: CountriesAnswer,
    etag: true,
    handle: (context) => listCountries(context),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/addresses/regions/:country',
    operation: 'listRegions',
    client: 'addresses.regions',
    params: { country: 'ISO 3166-1 alpha-2, in either case' },
    summary: 'List the regions of a country',
    answer: RegionsAnswer,
    etag: true,
    handle: (context, { params }) => listRegions(context, params.country),
  }),
])
