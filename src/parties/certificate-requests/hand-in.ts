import type { Context, Reader } from '../../platform/context.ts'
import { shardOf } from '../../platform/database/shards.ts'
import { documentType } from '../../platform/database/values/document-type.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { FileBytes } from '../../platform/http/file-body.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { readSeller } from '../accounts/seller-store.ts'
import { withStoredFile } from '../exemptions/document.ts'
import { addExemption, newExemption } from '../exemptions/exemptions.ts'
import type { NewExemptionBody } from '../exemptions/schemas.ts'
import { stateOfRequest } from './request.ts'
import { readRequestOfToken, type RequestRow, useRequest } from './store.ts'
import { accountOfToken, hashOfToken } from './token.ts'

/**
 * A link that was found by its token. `context` acts for the account, as the request and without a scope.
 * `seller`: the only name that its page shows.
 */
export type FoundLink = {
  context: Context
  token: string
  request: RequestRow
  seller: string
  is_open: boolean
}

/** The link of a token, open or used up; null: it never was one, or its customer or account has gone. */
export async function findLink(reader: Reader, token: string, request_id: string): Promise<FoundLink | null> {
  const account_id = accountOfToken(token)
  if (account_id === null) return null
  const token_hash = await hashOfToken(token)
  const seller = await readSeller(reader.env.DB, account_id, '')
  if (seller === null) return null
  const { books } = shardOf(reader.env, seller.principal.shard)
  const request = await readRequestOfToken(books, account_id, token_hash)
  if (request === null) return null
  const principal = { ...seller.principal, key_id: request.id }
  return {
    context: { ...reader, request_id, principal, books, written: books, idempotency: null },
    token,
    request,
    seller: seller.name,
    is_open: stateOfRequest(request, reader.now) === 'open',
  }
}

/**
 * Hands in a certificate by a link: a pending exemption with its file, and the use of the link, in one batch.
 * The same content again changes nothing. Returns whether the certificate is there: false if the link is not
 * open any more. Throws invalid_request with the field, unknown_jurisdiction, quota_exceeded, account_moving.
 */
export async function handIn(link: FoundLink, body: NewExemptionBody, file: FileBytes): Promise<boolean> {
  const { context, token, request, is_open } = link
  const type = documentType(file)
  if (type === null) throw fieldError('invalid_request', 'document', 'must be a PDF, PNG or JPEG file')
  const document_sha256 = await sha256(file)
  // The token is in no database, so the hash tells nothing of the certificate.
  const sent_hash = await sha256(JSON.stringify([token, document_sha256, ...Object.values(body)]))
  if (!is_open) return request.sent_hash === sent_hash
  const exemption = await newExemption(context, body)
  try {
    await withStoredFile(context, { file, type, document_sha256 }, ({ document_id, ...stored }, keep) => {
      const first = [...useRequest(context, request.id, { exemption_id: exemption.id, sent_hash }), ...keep]
      const changed = [...Object.keys(body), 'document_type', 'document_bytes', 'document_sha256']
      const added = { ...exemption, ...stored }
      return addExemption(context, request.customer_id, added, { changed, first, document_id })
    })
    return true
  } catch (thrown) {
    if (!(thrown instanceof ApiError && LOST.has(thrown.reason))) throw thrown
    const now = await findLink(context, token, context.request_id)
    return now !== null && now.request.sent_hash === sent_hash
  }
}

/** Another submission was first, the link was revoked, or the customer was erased meanwhile. */
const LOST: ReadonlySet<string> = new Set(['concurrent_change', 'not_found'])
