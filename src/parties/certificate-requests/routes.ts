import { DeletedAnswer } from '../../platform/http/answers.ts'
import { feature, route } from '../../platform/http/route.ts'
import { createRequest, getRequest, revokeRequest } from './request.ts'
import { CertificateRequestAnswer, CertificateRequestBody, NewCertificateRequestAnswer } from './schemas.ts'

const shared = {
  tag: 'Exemptions',
  path: '/v1/customers/:id/certificate-request',
  params: { id: 'The id of the customer, `cust_…`' },
} as const

const serves = ['/v1/customers']

export const certificateRequestRoutes = feature(serves, [
  route({
    ...shared,
    method: 'post',
    operation: 'createCertificateRequest',
    client: 'customers.certificateRequest.create',
    scope: 'customers:write',
    summary: 'Make a link by which a customer hands in a certificate; an open one stops at once',
    description:
      'The link needs no key. Its page takes one certificate with its file, and shows nothing but the name ' +
      'of the seller. The exemption is `pending` until you verify it. The link is shown once.',
    status: 201,
    idempotent: true,
    body: CertificateRequestBody,
    body_optional: true,
    example: { expires_in_days: 30 },
    answer: NewCertificateRequestAnswer,
    handle: (context, { params, body, url }) => createRequest(context, params.id, body, url),
  }),
  route({
    ...shared,
    method: 'get',
    operation: 'getCertificateRequest',
    client: 'customers.certificateRequest.get',
    scope: 'customers:read',
    summary: 'Whether a customer has an open link for a certificate',
    answer: CertificateRequestAnswer,
    handle: (context, { params }) => getRequest(context, params.id),
  }),
  route({
    ...shared,
    method: 'delete',
    operation: 'revokeCertificateRequest',
    client: 'customers.certificateRequest.revoke',
    scope: 'customers:write',
    summary: 'Revoke the open link of a customer',
    answer: DeletedAnswer,
    handle: (context, { params }) => revokeRequest(context, params.id),
  }),
])
