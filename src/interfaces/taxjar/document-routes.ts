import * as z from 'zod'
import { route } from '../../platform/http/route.ts'
import { TransactionDocument } from './answers.ts'
import { PROVIDER } from './document.ts'
import type { DocumentKind } from '../../platform/database/values/taxjar-document-kinds.ts'
import { createDocument, deleteDocument, listDocuments, showDocument, updateDocument } from './documents.ts'
import { DeleteRequest, DocumentRequest, DocumentsQuery, ProviderQuery } from './schemas.ts'

const reading = { tag: 'Transactions', method: 'get', scope: 'transactions:read', client: null } as const
const writing = { tag: 'Transactions', scope: 'transactions:write', client: null } as const
const one = { params: { transaction_id: 'The id that the shop gave it' } } as const

/** The routes of orders or of refunds. Both have the same verbs. */
export function documentRoutes(kind: DocumentKind) {
  const path = `/v2/transactions/${kind}s` as const
  const [named, title] = kind === 'order' ? ['an order', 'Order'] : ['a refund', 'Refund']
  const answer = z.strictObject({ [kind]: TransactionDocument })
  const nameOf = (document_id: string, provider: string | null | undefined) => ({
    kind,
    provider: provider ?? PROVIDER,
    document_id,
  })
  return [
    route({
      ...reading,
      path,
      operation: `list${title}s`,
      summary: `The ids of ${kind}s`,
      query: DocumentsQuery,
      answer: z.strictObject({ [`${kind}s`]: z.array(z.string()) }),
      handle: async (context, { query }) => ({ [`${kind}s`]: await listDocuments(context, kind, query) }),
    }),
    route({
      ...reading,
      ...one,
      path: `${path}/:transaction_id`,
      operation: `get${title}`,
      summary: `One ${kind}`,
      query: ProviderQuery,
      answer,
      handle: (context, { params, query }) =>
        showDocument(context, nameOf(params.transaction_id, query.provider)),
    }),
    route({
      ...writing,
      method: 'post',
      path,
      operation: `create${title}`,
      summary: `Record ${named}`,
      status: 201,
      body: DocumentRequest,
      answer,
      handle: (context, { body }) => createDocument(context, kind, body),
    }),
    route({
      ...writing,
      ...one,
      method: 'put',
      path: `${path}/:transaction_id`,
      operation: `update${title}`,
      summary: `Change ${named}`,
      body: DocumentRequest,
      answer,
      handle: (context, { params, body }) =>
        updateDocument(context, nameOf(params.transaction_id, body.provider), body),
    }),
    route({
      ...writing,
      ...one,
      method: 'delete',
      path: `${path}/:transaction_id`,
      operation: `delete${title}`,
      summary: `Delete ${named}`,
      query: ProviderQuery,
      body: DeleteRequest,
      body_optional: true,
      answer,
      handle: (context, { params, query, body }) =>
        deleteDocument(context, nameOf(params.transaction_id, query.provider ?? body.provider)),
    }),
  ]
}
