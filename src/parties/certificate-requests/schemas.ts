import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'

/** `ended`: its last moment has passed without a certificate. */
export const REQUEST_STATES = ['open', 'used', 'revoked', 'ended'] as const

export const CertificateRequestState = z.enum(REQUEST_STATES)

export const CertificateRequestBody = z.strictObject({
  expires_in_days: z.int().min(1).max(60).optional().describe('30 by default'),
})

/** The fields of a request in every answer. */
const REQUEST = {
  id: z.string(),
  customer_id: z.string(),
  state: CertificateRequestState.describe('Only an `open` request has a page'),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Timestamp.nullable().describe('When the customer handed in a certificate'),
  exemption_id: z.string().nullable().describe('What the customer handed in, `pending` until you verify it'),
}

export const CertificateRequest = z.strictObject(REQUEST)

export const NewCertificateRequestAnswer = z.strictObject({
  ...REQUEST,
  url: z
    .string()
    .nullable()
    .describe('The whole link, shown once: send it to the customer. Null in a repeated answer'),
  queried_at: Timestamp,
})

export const CertificateRequestAnswer = z.strictObject({
  certificate_request: CertificateRequest.nullable().describe(
    'The newest request of the customer, without its link. Null: there is none',
  ),
  queried_at: Timestamp,
})
