import type * as z from 'zod'
import { type Route, route } from '../../platform/http/route.ts'
import { findAddresses, AddressRequest } from './addresses.ts'
import {
  AddressesAnswer,
  CategoriesAnswer,
  NexusAddressesAnswer,
  NexusRegionsAnswer,
  RatesAnswer,
  SummaryRatesAnswer,
  TaxesAnswer,
  ValidationAnswer,
  VerifyAnswer,
} from './answers.ts'
import { customerRoutes } from './customer-routes.ts'
import { listCategories } from './categories.ts'
import { listNexusAddresses } from './nexus-addresses.ts'
import { listNexusRegions } from './nexus-regions.ts'
import { documentRoutes } from './document-routes.ts'
import { ratesAt, RatesRequest } from './rates.ts'
import { TaxesRequest } from './schemas.ts'
import { summariseRates } from './summary-rates.ts'
import { taxOfOrder } from './taxes.ts'
import { validateVat, ValidationRequest } from './validation.ts'

const reading = { method: 'get', scope: 'tax:read', client: null } as const
const asking = { method: 'post', scope: 'tax:read', client: null } as const

/** The check of a key, which alone may be in a posted form. */
export const VERIFY = route({
  ...asking,
  path: '/v2/verify',
  operation: 'verifyKey',
  tag: 'API keys',
  summary: 'Whether a key is valid: in the form as `token`, or in the header',
  answer: VerifyAnswer,
  handle: () => ({ valid: true, enabled: true }),
})

/** A route in the form of TaxJar: all its answers are JSON. */
export type TaxJarRoute = Route & { answer: z.ZodType }

/** All routes in the form of TaxJar, with its paths. */
export const TAXJAR_ROUTES: readonly TaxJarRoute[] = [
  route({
    ...asking,
    path: '/v2/taxes',
    operation: 'calculateTax',
    tag: 'Calculation',
    summary: 'The tax of an order',
    body: TaxesRequest,
    answer: TaxesAnswer,
    handle: (context, { body }) => taxOfOrder(context, body),
  }),
  route({
    ...reading,
    path: '/v2/rates/:zip',
    operation: 'getRates',
    params: { zip: 'A ZIP, a ZIP+4 or a postal code' },
    tag: 'Rules',
    summary: 'The rates at a place',
    query: RatesRequest,
    answer: RatesAnswer,
    handle: (context, { params, query }) => ratesAt(context, params.zip, query),
  }),
  route({
    ...reading,
    path: '/v2/categories',
    operation: 'listCategories',
    tag: 'Metadata',
    summary: 'The tax codes',
    answer: CategoriesAnswer,
    handle: () => listCategories(),
  }),
  route({
    ...reading,
    path: '/v2/nexus/regions',
    operation: 'listNexusRegions',
    scope: 'registrations:read',
    tag: 'Registrations',
    summary: 'Where the account is registered',
    answer: NexusRegionsAnswer,
    handle: (context) => listNexusRegions(context),
  }),
  route({
    ...asking,
    path: '/v2/magento/taxes',
    operation: 'calculateMagentoTaxes',
    tag: 'Calculation',
    summary: 'The tax of an order, where the extension of Magento asks for it',
    body: TaxesRequest,
    answer: TaxesAnswer,
    handle: (context, { body }) => taxOfOrder(context, body),
  }),
  route({
    ...reading,
    path: '/v2/nexus/addresses',
    operation: 'listNexusAddresses',
    scope: 'registrations:read',
    tag: 'Registrations',
    summary: 'Where the account is registered, as the extension of Magento reads it',
    answer: NexusAddressesAnswer,
    handle: (context) => listNexusAddresses(context),
  }),
  route({
    ...reading,
    path: '/v2/validation',
    operation: 'validateVatId',
    tag: 'VAT',
    summary: 'Whether a VAT id is registered',
    query: ValidationRequest,
    answer: ValidationAnswer,
    handle: (context, { query }) => validateVat(context, query),
  }),
  route({
    ...asking,
    path: '/v2/addresses/validate',
    operation: 'validateAddress',
    tag: 'Addresses',
    summary: 'The usual form of an address',
    body: AddressRequest,
    answer: AddressesAnswer,
    handle: (context, { body }) => findAddresses(context, body),
  }),
  route({
    ...reading,
    path: '/v2/summary_rates',
    operation: 'listSummaryRates',
    tag: 'Rules',
    summary: 'The lowest and the average rate of each place',
    answer: SummaryRatesAnswer,
    handle: (context) => summariseRates(context),
  }),
  ...documentRoutes('order'),
  ...documentRoutes('refund'),
  ...customerRoutes,
  VERIFY,
]
