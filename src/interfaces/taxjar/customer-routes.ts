import { route } from '../../platform/http/route.ts'
import { CustomerAnswer, CustomersAnswer } from './answers.ts'
import { createCustomer, deleteCustomer, listCustomers, showCustomer, updateCustomer } from './customers.ts'
import { CustomerRequest } from './schemas.ts'

const reading = { tag: 'Customers', method: 'get', scope: 'customers:read', client: null } as const
const writing = { tag: 'Customers', scope: 'customers:write', client: null } as const
const one = {
  path: '/v2/customers/:customer_id',
  params: { customer_id: 'The id that the shop gave it' },
  answer: CustomerAnswer,
} as const

export const customerRoutes = [
  route({
    ...reading,
    path: '/v2/customers',
    operation: 'listCustomers',
    summary: 'The ids of customers',
    answer: CustomersAnswer,
    handle: (context) => listCustomers(context),
  }),
  route({
    ...reading,
    ...one,
    operation: 'getCustomer',
    summary: 'One customer',
    handle: (context, { params }) => showCustomer(context, params.customer_id),
  }),
  route({
    ...writing,
    method: 'post',
    path: '/v2/customers',
    operation: 'createCustomer',
    summary: 'Add a customer',
    status: 201,
    body: CustomerRequest,
    answer: CustomerAnswer,
    handle: (context, { body }) => createCustomer(context, body),
  }),
  route({
    ...writing,
    ...one,
    method: 'put',
    operation: 'updateCustomer',
    summary: 'Change a customer',
    body: CustomerRequest,
    handle: (context, { params, body }) => updateCustomer(context, params.customer_id, body),
  }),
  route({
    ...writing,
    ...one,
    method: 'delete',
    operation: 'deleteCustomer',
    summary: 'Erase a customer',
    handle: (context, { params }) => deleteCustomer(context, params.customer_id),
  }),
]
