import { ApiError } from '../errors.ts'

/**
 * The longest value of each header that the service reads, in characters. A value has a bound before a
 * pattern sees it, because a stranger chooses its length.
 */
const LONGEST = {
  Accept: 2_048,
  Authorization: 8_192,
  'CF-Connecting-IP': 256,
  'Cf-Access-Jwt-Assertion': 16_384,
  'Content-Length': 256,
  'Content-Type': 256,
  'Idempotency-Key': 2_048,
  'If-None-Match': 2_048,
  'MCP-Protocol-Version': 256,
  'Mcp-Method': 256,
  'Mcp-Name': 2_048,
  Origin: 2_048,
  'Saleor-Api-Url': 2_048,
  'Saleor-Signature': 8_192,
  'X-Account': 256,
  'X-Client': 256,
} as const

export type HeaderName = keyof typeof LONGEST

/** The value of a header; null: it is missing. Throws header_too_long. */
export function readHeader(headers: Headers, name: HeaderName): string | null {
  const value = headers.get(name)
  if (value !== null && value.length > LONGEST[name])
    throw new ApiError('header_too_long', {
      message: `The header ${name} is longer than ${LONGEST[name]} characters`,
    })
  return value
}

const URL_MAX = 8_192

/** Throws url_too_long, before a pattern sees a part of the path or of the query. */
export function refuseLongUrl(url: string): void {
  if (url.length > URL_MAX) throw new ApiError('url_too_long')
}
