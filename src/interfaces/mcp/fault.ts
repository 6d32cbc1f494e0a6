import { fromBase64 } from '../../platform/kit/base64.ts'
import {
  CODES,
  errorOf,
  isObject,
  isStateless,
  type Message,
  META,
  metaOf,
  STATELESS,
  VERSIONS,
} from './messages.ts'
import { type HeaderName, readHeader } from '../../platform/kit/header.ts'

/**
 * What is wrong with the version or the headers of a message, as an answer; null: nothing. Proxies act on the
 * headers, so these must say what the message says.
 */
export function faultOf(message: Message, headers: Headers): string | null {
  const { id } = message
  const meta = metaOf(message)
  const version = meta[`${META}protocolVersion`] ?? readHeader(headers, 'MCP-Protocol-Version')
  if (version !== null && !VERSIONS.some((each) => each === version))
    return errorOf(id, CODES.version, `The protocol version must be one of ${VERSIONS.join(', ')}`, {
      supported: VERSIONS,
      requested: version,
    })
  if (version !== STATELESS || id === null) return null
  if (!isStateless(message) || !isObject(meta[`${META}clientCapabilities`]))
    return errorOf(id, CODES.params, `_meta needs ${META}protocolVersion and ${META}clientCapabilities`)
  const wrong = headersOf(message).find(([name, value]) => textOf(headers, name) !== value)
  return wrong === undefined ? null : errorOf(id, CODES.header, `${wrong[0]} must say what the message says`)
}

function headersOf({ method, params }: Message): (readonly [HeaderName, unknown])[] {
  const always = [['MCP-Protocol-Version', STATELESS] as const, ['Mcp-Method', method] as const]
  return method === 'tools/call' ? [...always, ['Mcp-Name', params['name']]] : always
}

/** A header. What is not plain ASCII comes as `=?base64?…?=`. */
function textOf(headers: Headers, name: HeaderName): string | null {
  const value = readHeader(headers, name)
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1]
  if (encoded === undefined) return value
  try {
    return new TextDecoder().decode(fromBase64(encoded))
  } catch {
    return null
  }
}
