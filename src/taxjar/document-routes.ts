import { OrderAnswer, OrdersAnswer, RefundAnswer, RefundsAnswer } from './answers.ts'
import { idsOfDocuments } from './list-documents.ts'
import { createOrder, deleteOrder, showOrder, updateOrder } from './orders.ts'
import { createRefund, deleteRefund, showRefund, updateRefund } from './refunds.ts'
import { type TaxJarRoute, taxjarRoute } from './route.ts'
import { DocumentRequest, DocumentsQuery, ProviderQuery } from './schemas.ts'

const reading = { method: 'get', scope: 'transactions:read' } as const
const writing = { scope: 'transactions:write' } as const
const one = { params: { transaction_id: 'The id that the shop gave it' } } as const

export const orderRoutes: readonly TaxJarRoute[] = [
  taxjarRoute({
    ...reading,
    path: '/v2/transactions/orders',
    summary: 'The ids of orders',
    query: DocumentsQuery,
    answer: OrdersAnswer,
    handle: async (context, { query }) => ({
      body: { orders: await idsOfDocuments(context, 'order', query) },
    }),
  }),
  taxjarRoute({
    ...reading,
    ...one,
    path: '/v2/transactions/orders/:transaction_id',
    summary: 'One order',
    query: ProviderQuery,
    answer: OrderAnswer,
    handle: (context, { params, query }) => showOrder(context, params.transaction_id, query.provider ?? null),
  }),
  taxjarRoute({
    ...writing,
    method: 'post',
    path: '/v2/transactions/orders',
    summary: 'Record an order',
    status: 201,
    body: DocumentRequest,
    answer: OrderAnswer,
    handle: (context, { body }) => createOrder(context, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'put',
    path: '/v2/transactions/orders/:transaction_id',
    summary: 'Change an order',
    body: DocumentRequest,
    answer: OrderAnswer,
    handle: (context, { params, body }) => updateOrder(context, params.transaction_id, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'delete',
    path: '/v2/transactions/orders/:transaction_id',
    summary: 'Delete an order',
    query: ProviderQuery,
    answer: OrderAnswer,
    handle: (context, { params, query }) =>
      deleteOrder(context, params.transaction_id, query.provider ?? null),
  }),
]

export const refundRoutes: readonly TaxJarRoute[] = [
  taxjarRoute({
    ...reading,
    path: '/v2/transactions/refunds',
    summary: 'The ids of refunds',
    query: DocumentsQuery,
    answer: RefundsAnswer,
    handle: async (context, { query }) => ({
      body: { refunds: await idsOfDocuments(context, 'refund', query) },
    }),
  }),
  taxjarRoute({
    ...reading,
    ...one,
    path: '/v2/transactions/refunds/:transaction_id',
    summary: 'One refund',
    query: ProviderQuery,
    answer: RefundAnswer,
    handle: (context, { params, query }) =>
      showRefund(context, params.transaction_id, query.provider ?? null),
  }),
  taxjarRoute({
    ...writing,
    method: 'post',
    path: '/v2/transactions/refunds',
    summary: 'Record a refund',
    status: 201,
    body: DocumentRequest,
    answer: RefundAnswer,
    handle: (context, { body }) => createRefund(context, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'put',
    path: '/v2/transactions/refunds/:transaction_id',
    summary: 'Change a refund',
    body: DocumentRequest,
    answer: RefundAnswer,
    handle: (context, { params, body }) => updateRefund(context, params.transaction_id, body),
  }),
  taxjarRoute({
    ...writing,
    ...one,
    method: 'delete',
    path: '/v2/transactions/refunds/:transaction_id',
    summary: 'Delete a refund',
    query: ProviderQuery,
    answer: RefundAnswer,
    handle: (context, { params, query }) =>
      deleteRefund(context, params.transaction_id, query.provider ?? null),
  }),
]
