import * as z from 'zod'
import { toApiError } from '../../platform/http/error-response.ts'
import { type Route, route } from '../../platform/http/route.ts'
import type { Dialect } from '../request/dialect.ts'
import { jsonReply } from '../request/replies.ts'
import { errorBody, statusOf } from '../../platform/http/error-response.ts'
import { BookedAnswer, OrderEvent, OrderRead } from './order-payload.ts'
import { bookEvent, bookRead } from './orders.ts'
import { TaxesAnswer, TaxesEvent } from './tax-payload.ts'
import { taxesOf } from './taxes.ts'
import { readHeader } from '../../platform/kit/header.ts'

/** Saleor reads the answers as they are, without fields of ours. An error has our own form. */
export const saleorDialect: Dialect = {
  authorization: ({ headers }) => readHeader(headers, 'Authorization'),
  admit: () => {},
  reply: (answer, status) => jsonReply(JSON.stringify(answer), status),
  fault: (thrown, { request_id }) => {
    const error = toApiError(thrown)
    const body = JSON.stringify(errorBody(error, request_id))
    return { body, status: statusOf(error), headers: {}, reason: error.reason }
  },
}

export const signedRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/saleor/taxes',
    operation: 'calculateSaleorTaxes',
    client: null,
    scope: 'tax:read',
    tag: 'Shops',
    summary: 'The taxes of a checkout or an order of Saleor',
    body: TaxesEvent,
    answer: { 'application/json': TaxesAnswer },
    handle: (context, { body }) => taxesOf(context, body),
  }),
  route({
    method: 'post',
    path: '/saleor/orders',
    operation: 'recordSaleorOrder',
    client: null,
    scope: 'transactions:write',
    tag: 'Shops',
    summary: 'An event of an order of Saleor',
    body: OrderEvent,
    answer: z.strictObject({ ...BookedAnswer.shape, queried_at: z.string() }),
    handle: (context, { body }) => bookEvent(context, body),
  }),
  route({
    method: 'post',
    path: '/saleor/orders/read',
    operation: 'recordSaleorOrderRead',
    client: null,
    scope: 'transactions:write',
    tag: 'Shops',
    summary: 'An order that was read from Saleor',
    body: OrderRead,
    answer: z.strictObject({ ...BookedAnswer.shape, queried_at: z.string() }),
    handle: (context, { body }) => bookRead(context, body),
  }),
]
