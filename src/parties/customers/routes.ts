import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { type Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { cursorPage, pageOf } from '../../platform/http/page.ts'
import { feature, route } from '../../platform/http/route.ts'
import { AllExemptionsAnswer, AllExemptionsQuery } from '../exemptions/schemas.ts'
import { pageOfAllExemptions } from './all-exemptions.ts'
import { createCustomer } from './create.ts'
import { presentCustomer } from './customer.ts'
import { deleteCustomer } from './delete.ts'
import {
  type Customer,
  CustomerAnswer,
  type CustomerFilter,
  CustomerRequest,
  CustomersAnswer,
  CustomerValidationAnswer,
  CustomersQuery,
} from './schemas.ts'
import { searchCustomers } from './search-store.ts'
import { readCustomer, readCustomers } from './store.ts'
import { updateCustomer } from './update.ts'
import { validateCustomer } from './validate-vat-id.ts'

const shared = { tag: 'Customers', answer: CustomerAnswer } as const

const serves = ['/v1/customers', '/v1/exemptions', '/v1/vat/validate-customer']

export const customerRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/customers',
    operation: 'createCustomer',
    client: 'customers.create',
    scope: 'customers:write',
    summary: 'Add a customer',
    errors: ['external_id_taken'],
    status: 201,
    body: CustomerRequest,
    example: {
      external_id: 'crm-1001',
      email: 'tax@example.com',
      name: 'Acme GmbH',
      address: { country: 'DE', postal_code: '10115', city: 'Berlin', line1: 'Musterstraße 1' },
      vat_id: 'DE136695976',
      metadata: { segment: 'enterprise' },
    },
    idempotent: true,
    handle: (context, { body }) => createCustomer(context, body),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/customers',
    operation: 'listCustomers',
    client: 'customers.list',
    scope: 'customers:read',
    summary: 'List the customers, newest first',
    query: CustomersQuery,
    answer: CustomersAnswer,
    handle: (context, { query }) => listCustomers(context, query),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/customers/external/:external_id',
    operation: 'getCustomerByExternalId',
    client: 'customers.getByExternalId',
    params: { external_id: 'Your own reference' },
    scope: 'customers:read',
    summary: 'One customer by your own reference',
    handle: (context, { params }) => findCustomer(context, 'external_id', params.external_id),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/customers/:id',
    operation: 'getCustomer',
    client: 'customers.get',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:read',
    summary: 'One customer',
    handle: (context, { params }) => findCustomer(context, 'id', params.id),
  }),
  route({
    ...shared,
    method: 'put',
    path: '/v1/customers/:id',
    operation: 'updateCustomer',
    client: 'customers.update',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:write',
    summary: 'Change a customer',
    description:
      'Fields that are left out stay; an address or metadata is replaced as a whole. A new VAT id ' +
      'has to be validated again.',
    errors: ['external_id_taken', 'concurrent_change'],
    body: CustomerRequest,
    example: { name: 'Acme Europe GmbH' },
    handle: (context, { params, body }) => updateCustomer(context, params.id, body),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/customers/:id',
    operation: 'deleteCustomer',
    client: 'customers.delete',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:write',
    summary: 'Erase a customer and its exemptions',
    description:
      'At once and for good. Recorded transactions stay, with the address that they were taxed by: ' +
      'the law asks for it.',
    errors: ['legal_hold'],
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteCustomer(context, params.id),
  }),
  route({
    tag: 'VAT',
    method: 'post',
    path: '/v1/vat/validate-customer/:customer_id',
    operation: 'validateCustomerVatId',
    client: 'customers.validateVatId',
    params: { customer_id: 'The id of the customer, `cust_…`' },
    scope: 'vat:write',
    summary: 'Validate the VAT id of a customer, and keep what the authority said',
    description:
      'Where the authority does not answer, the customer stays as it is and is updated when it does: ' +
      'after 1 min, 10 min, 1 h, 6 h.',
    errors: ['concurrent_change'],
    answer: CustomerValidationAnswer,
    idempotent: true,
    handle: (context, { params }) => validateCustomer(context, params.customer_id),
  }),
  route({
    tag: 'Exemptions',
    method: 'get',
    path: '/v1/exemptions',
    operation: 'listExemptions',
    client: 'customers.exemptions.listAll',
    scope: 'customers:read',
    summary: 'List the exemptions of all customers, newest first',
    description:
      'With `status=pending`: the certificates that wait for a review. With a `state` between `upcoming` ' +
      'and `expires_soon`, in order of the expiry date; with `expired`, the latest first. A page ' +
      'may have fewer rows than `limit` although more follow.',
    query: AllExemptionsQuery,
    answer: AllExemptionsAnswer,
    handle: (context, { query }) => pageOfAllExemptions(context, query),
  }),
])

async function findCustomer(
  context: Context,
  by: 'id' | 'external_id',
  value: string,
): Promise<Answer<typeof Customer>> {
  const { row, exemptions } = await readCustomer(context, by, value)
  return presentCustomer(row, exemptions)
}

async function listCustomers(
  context: Context,
  { email, q, cursor, limit = 50, offset = 0 }: CustomerFilter,
): Promise<Answer<typeof CustomersAnswer>> {
  if (cursor !== undefined && offset > 0)
    throw fieldError('invalid_request', 'offset', 'cannot be given beside cursor')
  const found = q === undefined ? undefined : await searchCustomers(context, q)
  const of = { email, ids: found?.ids, cursor, limit, offset }
  const { customers, total } = await readCustomers(context, of)
  const { rows, ...page } = cursorPage(customers, limit, ({ row }) => row.id)
  return {
    customers: rows.map(({ row, exemptions }) => presentCustomer(row, exemptions)),
    ...pageOf(total, limit, offset),
    ...(found !== undefined && { search_complete: found.complete }),
    ...page,
  }
}
