import { CustomerAnswer, CustomersAnswer } from './answers.ts'
import { createCustomer, deleteCustomer, listCustomers, showCustomer, updateCustomer } from './customers.ts'
import { type TaxJarRoute, taxjarRoute } from './route.ts'
import { CustomerRequest } from './schemas.ts'

const writing = { scope: 'customers:write' } as const
const one = { params: { customer_id: 'The id that the shop gave it' } } as const

export const customerRoutes: readonly TaxJarRoute[] = [
  taxjarRoute({
    method: 'get',
    path: '/v2/customers',
    scope: 'customers:read',
    summary: 'The ids of customers',
    answer: CustomersAnswer,
    handle: (context) => listCustomers(context),
  }),
  taxjarRoute({
    ...one,
    method: 'get',
    path: '/v2/customers/:customer_id',
    scope: 'customers:read',
    summary: 'One customer',
    answer: CustomerAnswer,
    handle: (context, { params }) => showCustomer(context, params.customer_id),
  }),
  taxjarRoute({
    ...writing,
    method: 'post',
    path: '/v2/customers',
    summary: 'Add a customer',
    status: 201,
    body: CustomerRequest,
    answer: CustomerAnswer,
    handle: (context, { body }) => createCustomer(context, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'put',
    path: '/v2/customers/:customer_id',
    summary: 'Change a customer',
    body: CustomerRequest,
    answer: CustomerAnswer,
    handle: (context, { params, body }) => updateCustomer(context, params.customer_id, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'delete',
    path: '/v2/customers/:customer_id',
    summary: 'Erase a customer',
    answer: CustomerAnswer,
    handle: (context, { params }) => deleteCustomer(context, params.customer_id),
  }),
]
