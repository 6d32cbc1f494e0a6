import { todayIn } from '../../platform/kit/time-zone.ts'
import type { Context } from '../../platform/context.ts'
import { type Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { feature, route } from '../../platform/http/route.ts'
import { checkExemption } from './check.ts'
import { createExemption, deleteExemption, updateExemption } from './exemptions.ts'
import { deleteDocument, readDocument, storeDocument } from './document.ts'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TYPES } from '../../platform/database/values/document-type.ts'
import {
  ExemptionAnswer,
  ExemptionCheckAnswer,
  ExemptionCheckQuery,
  ExemptionRequest,
  ExemptionsAnswer,
  ExemptionsQuery,
  NewExemptionRequest,
  StoredDocument,
} from './schemas.ts'
import { readExemptions } from './store.ts'

const EXEMPTION_ID = { id: 'The id of the exemption, `exm_…`' }

const shared = { tag: 'Exemptions', answer: ExemptionAnswer } as const

const serves = ['/v1/customers', '/v1/exemptions']

export const exemptionRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    path: '/v1/customers/:id/exemptions',
    operation: 'createExemption',
    client: 'customers.exemptions.create',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:write',
    summary: 'Add an exemption to a customer, pending until it is verified',
    errors: ['unknown_jurisdiction'],
    status: 201,
    body: NewExemptionRequest,
    example: {
      jurisdiction_id: 'US-CA',
      exemption_type: 'resale',
      certificate_number: 'CA-RES-1001',
      valid_from: '2026-01-01',
      valid_to: '2026-12-31',
    },
    idempotent: true,
    handle: (context, { params, body }) => createExemption(context, params.id, body),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/customers/:id/exemptions',
    operation: 'listCustomerExemptions',
    client: 'customers.exemptions.list',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:read',
    summary: 'List the exemptions of a customer, newest first',
    query: ExemptionsQuery,
    answer: ExemptionsAnswer,
    handle: (context, { params, query }) =>
      pageOfExemptions(context, params.id, query.limit ?? 50, query.offset ?? 0),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/customers/:id/exemptions/check',
    operation: 'checkExemption',
    client: 'customers.exemptions.check',
    params: { id: 'The id of the customer, `cust_…`' },
    scope: 'customers:read',
    summary: 'Whether a customer is exempt in a jurisdiction on a day',
    errors: ['unknown_jurisdiction'],
    query: ExemptionCheckQuery,
    answer: ExemptionCheckAnswer,
    handle: (context, { params, query }) =>
      checkExemption(
        context,
        params.id,
        query.jurisdiction_id,
        query.date ?? todayIn(context.principal.time_zone, context.now),
      ),
  }),
  route({
    ...shared,
    method: 'put',
    path: '/v1/customers/:id/exemptions/:exemption_id',
    operation: 'updateExemption',
    client: 'customers.exemptions.update',
    params: { id: 'The id of the customer, `cust_…`', exemption_id: 'The id of the exemption, `exm_…`' },
    scope: 'customers:write',
    summary: 'Change an exemption, verify or reject it',
    errors: ['unknown_jurisdiction', 'illegal_status_change', 'concurrent_change'],
    body: ExemptionRequest,
    example: { status: 'verified', verification_notes: 'Checked with the state' },
    handle: (context, { params, body }) => updateExemption(context, params.id, params.exemption_id, body),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/customers/:id/exemptions/:exemption_id',
    operation: 'deleteExemption',
    client: 'customers.exemptions.delete',
    params: { id: 'The id of the customer, `cust_…`', exemption_id: 'The id of the exemption, `exm_…`' },
    scope: 'customers:write',
    summary: 'Delete an exemption',
    description:
      'One that recorded sales rest on cannot be deleted: end it with `valid_to` or `status`. ' +
      'Erasing its customer deletes it, and the sales keep a copy.',
    errors: ['exemption_in_use', 'legal_hold'],
    answer: DeletedAnswer,
    handle: (context, { params }) => deleteExemption(context, params.id, params.exemption_id),
  }),
  route({
    ...shared,
    method: 'put',
    path: '/v1/exemptions/:id/document',
    operation: 'updateExemptionDocument',
    client: 'customers.exemptions.uploadDocument',
    params: EXEMPTION_ID,
    scope: 'customers:write',
    summary: 'Store the file of a certificate, or replace it',
    description:
      'The body is the file itself: a PDF, PNG or JPEG of at most 5 MB. Its first bytes decide the type, ' +
      'and the Content-Type is ignored. The same file again changes nothing. The bytes of all files count ' +
      'in the quota `document_bytes`; a new file needs room beside the one that it replaces.',
    errors: ['body_too_large', 'quota_exceeded', 'concurrent_change', 'legal_hold'],
    file: { types: DOCUMENT_TYPES, bytes_max: DOCUMENT_BYTES_MAX },
    handle: (context, { params, file }) => storeDocument(context, params.id, file),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/v1/exemptions/:id/document',
    operation: 'getExemptionDocument',
    client: 'customers.exemptions.document',
    params: EXEMPTION_ID,
    scope: 'customers:read',
    summary: 'The file of a certificate',
    description: 'As an attachment that runs nothing: with `nosniff` and a policy that has a sandbox.',
    sends_file: 'large',
    answer: {
      'application/pdf': StoredDocument,
      'image/png': StoredDocument,
      'image/jpeg': StoredDocument,
    },
    handle: (context, { params }) => readDocument(context, params.id),
  }),
  route({
    ...shared,
    method: 'delete',
    path: '/v1/exemptions/:id/document',
    operation: 'deleteExemptionDocument',
    client: 'customers.exemptions.deleteDocument',
    params: EXEMPTION_ID,
    scope: 'customers:write',
    summary: 'Delete the file of a certificate',
    description: 'The exemption stays as it is.',
    errors: ['concurrent_change', 'legal_hold'],
    handle: (context, { params }) => deleteDocument(context, params.id),
  }),
])

async function pageOfExemptions(
  context: Context,
  customer_id: string,
  limit: number,
  offset: number,
): Promise<Answer<typeof ExemptionsAnswer>> {
  const { exemptions, total } = await readExemptions(context, customer_id, limit, offset)
  return { exemptions, ...pageOf(total, limit, offset) }
}
