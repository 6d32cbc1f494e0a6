import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { ApiError } from '../../platform/errors.ts'
import { publicLink } from '../../platform/own-addresses.ts'
import type {
  CertificateRequestAnswer,
  CertificateRequestBody,
  NewCertificateRequestAnswer,
  REQUEST_STATES,
} from './schemas.ts'
import { readNewestRequest, replaceRequest, type RequestRow, revokeOpen } from './store.ts'
import { hashOfToken, newToken } from './token.ts'

const DAYS = 30

/**
 * Makes a link by which a customer hands in one certificate. The link is shown once, and an open one stops.
 * `asked_url`: the URL of the request, whose host it has unless PUBLIC_URL is set.
 * Throws not_found.
 */
export async function createRequest(
  context: Context,
  customer_id: string,
  { expires_in_days = DAYS }: z.output<typeof CertificateRequestBody>,
  asked_url: string,
): Promise<Answer<typeof NewCertificateRequestAnswer>> {
  const { now, principal } = context
  const row: RequestRow = {
    id: newId('creq'),
    customer_id,
    key_id: principal.key_id,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + expires_in_days * DAY_MS).toISOString(),
    revoked_at: null,
    used_at: null,
    exemption_id: null,
    sent_hash: null,
  }
  const token = newToken(principal.account_id)
  const shown = presentRequest(row, now)
  await commit(context, {
    changes: replaceRequest(context, row, await hashOfToken(token)),
    audit: {
      action: 'certificate_request.created',
      resource_id: row.id,
      changed: ['expires_at'],
      values: { expires_at: { old: null, new: row.expires_at } },
    },
    answer: { ...shown, url: null },
  })
  return { ...shown, url: publicLink(context.env, `/certificate/${token}`, asked_url) }
}

/** The newest request of a customer. Throws not_found if there is no such customer. */
export async function getRequest(
  context: Context,
  customer_id: string,
): Promise<Answer<typeof CertificateRequestAnswer>> {
  const row = await readNewestRequest(context, customer_id)
  return { certificate_request: row && presentRequest(row, context.now) }
}

/** Revokes the open request of a customer. Throws not_found if none is open. */
export async function revokeRequest(
  context: Context,
  customer_id: string,
): Promise<Answer<typeof DeletedAnswer>> {
  const row = await readNewestRequest(context, customer_id)
  if (row === null || stateOfRequest(row, context.now) !== 'open') throw new ApiError('not_found')
  const answer: Answer<typeof DeletedAnswer> = { id: row.id, deleted: true }
  await commit(context, {
    changes: guarded(context.books, revokeOpen(context, customer_id), 'not_found'),
    audit: { action: 'certificate_request.revoked', resource_id: row.id, changed: ['revoked_at'] },
    answer,
  })
  return answer
}

/** The state of a request at a moment. It ends in the millisecond of `expires_at`. */
export function stateOfRequest(
  { revoked_at, used_at, expires_at }: RequestRow,
  now: Date,
): (typeof REQUEST_STATES)[number] {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return expires_at > now.toISOString() ? 'open' : 'ended'
}

function presentRequest(row: RequestRow, now: Date) {
  const { id, customer_id, created_at, expires_at, used_at, exemption_id } = row
  return { id, customer_id, state: stateOfRequest(row, now), created_at, expires_at, used_at, exemption_id }
}
