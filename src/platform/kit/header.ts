import { ApiError } from '../errors.ts'

/** The headers that the service reads. */
export type HeaderName =
  | 'Accept'
  | 'Authorization'
  | 'CF-Connecting-IP'
  | 'Cf-Access-Jwt-Assertion'
  | 'Content-Length'
  | 'Cookie'
  | 'Content-Type'
  | 'Idempotency-Key'
  | 'If-None-Match'
  | 'MCP-Protocol-Version'
  | 'Mcp-Method'
  | 'Mcp-Name'
  | 'Origin'
  | 'Saleor-Api-Url'
  | 'Saleor-Signature'
  | 'X-Account'
  | 'X-Client'

/** The cookie with the session of who has signed in at an OpenID Connect provider. */
export const SESSION_COOKIE = '__Host-session'

/** No token or signature is longer. */
const LENGTH_MAX = 16_384

/**
 * The value of a header; null: it is missing. A stranger chooses its length, so it has a bound before a
 * pattern sees it. Throws head_too_long.
 */
export function readHeader(headers: Headers, name: HeaderName): string | null {
  const value = headers.get(name)
  if (value !== null) refuseLong(name, value)
  return value
}

/** Throws head_too_long for a header's value or a URL that is too long. Call it before a pattern sees it. */
export function refuseLong(name: string, value: string): void {
  if (value.length > LENGTH_MAX)
    throw new ApiError('head_too_long', { message: `${name} has over 16,384 characters` })
}
