import { findAddresses, AddressRequest } from './addresses.ts'
import {
  AddressesAnswer,
  CategoriesAnswer,
  NexusRegionsAnswer,
  RatesAnswer,
  SummaryRatesAnswer,
  TaxesAnswer,
  ValidationAnswer,
  VerifyAnswer,
} from './answers.ts'
import { customerRoutes } from './customer-routes.ts'
import { listCategories } from './categories.ts'
import { listNexusRegions } from './nexus-regions.ts'
import { orderRoutes, refundRoutes } from './document-routes.ts'
import { ratesAt, RatesRequest } from './rates.ts'
import { type TaxJarRoute, taxjarRoute } from './route.ts'
import { TaxesRequest } from './schemas.ts'
import { summariseRates } from './summary-rates.ts'
import { taxOfOrder } from './taxes.ts'
import { validateVat, ValidationRequest } from './validation.ts'

const reading = { method: 'get', scope: 'tax:read' } as const

/** All routes in the form of TaxJar, with its paths. */
export const TAXJAR_ROUTES: readonly TaxJarRoute[] = [
  taxjarRoute({
    method: 'post',
    path: '/v2/taxes',
    scope: 'tax:read',
    summary: 'The tax of an order',
    body: TaxesRequest,
    answer: TaxesAnswer,
    handle: (context, { body }) => taxOfOrder(context, body),
  }),
  taxjarRoute({
    ...reading,
    path: '/v2/rates/:zip',
    params: { zip: 'A ZIP, a ZIP+4 or a postal code' },
    summary: 'The rates at a place',
    query: RatesRequest,
    answer: RatesAnswer,
    handle: (context, { params, query }) => ratesAt(context, params.zip, query),
  }),
  taxjarRoute({
    ...reading,
    path: '/v2/categories',
    summary: 'The tax codes',
    answer: CategoriesAnswer,
    handle: () => listCategories(),
  }),
  taxjarRoute({
    ...reading,
    path: '/v2/nexus/regions',
    scope: 'registrations:read',
    summary: 'Where the account is registered',
    answer: NexusRegionsAnswer,
    handle: (context) => listNexusRegions(context),
  }),
  taxjarRoute({
    ...reading,
    path: '/v2/validation',
    summary: 'Whether a VAT id is registered',
    query: ValidationRequest,
    answer: ValidationAnswer,
    handle: (context, { query }) => validateVat(context, query),
  }),
  taxjarRoute({
    method: 'post',
    path: '/v2/addresses/validate',
    scope: 'tax:read',
    summary: 'The usual form of an address',
    body: AddressRequest,
    answer: AddressesAnswer,
    handle: (context, { body }) => findAddresses(context, body),
  }),
  taxjarRoute({
    ...reading,
    path: '/v2/summary_rates',
    summary: 'The lowest and the average rate of each place',
    answer: SummaryRatesAnswer,
    handle: (context) => summariseRates(context),
  }),
  ...orderRoutes,
  ...refundRoutes,
  ...customerRoutes,
  taxjarRoute({
    method: 'post',
    path: '/v2/verify',
    scope: 'tax:read',
    summary: 'Whether a key is valid: in the form as `token`, or in the header',
    answer: VerifyAnswer,
    key_in_form: true,
    handle: () => ({ body: { valid: true, enabled: true } }),
  }),
]
