import { ApiError } from '../errors.ts'

/** The headers that the service reads. */
export type HeaderName =
  | 'Accept'
  | 'Authorization'
  | 'CF-Connecting-IP'
  | 'Cf-Access-Jwt-Assertion'
  | 'Content-Length'
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

/** The most characters of a header's value and of a URL. No token or signature is longer. */
const LENGTH_MAX = 16_384

/**
 * The value of a header; null: it is missing. A stranger chooses its length, so it has a bound before a
 * pattern sees it. Throws header_too_long.
 */
export function readHeader(headers: Headers, name: HeaderName): string | null {
  const value = headers.get(name)
  if (value !== null && value.length > LENGTH_MAX)
    throw new ApiError('header_too_long', { message: `${name} is longer than 16,384 characters` })
  return value
}

/** Throws url_too_long, before a pattern sees a part of the path or of the query. */
export function refuseLongUrl(url: string): void {
  if (url.length > LENGTH_MAX) throw new ApiError('url_too_long')
}
