import { ApiError } from '../errors.ts'

const BYTES_MAX = 1_048_576
const DEPTH_MAX = 32

/**
 * The text of a JSON body, counted while it is read, so that a body without a length is limited too. Bytes
 * that are not UTF-8 are refused, not replaced: what is recorded must be what was sent. A byte order mark is
 * passed over, as RFC 8259, section 8.1, allows. With `optional` an empty one may be of any type or none.
 * Throws invalid_content_type and body_too_large, where it can at once; async it would wait in one place more
 * than it needs to.
 */
export function readBody(request: Request, headers: Headers, optional = false): Promise<string> {
  const typed = isJson(headers.get('Content-Type') ?? '')
  if (!typed && !optional) throw new ApiError('invalid_content_type')
  const length = headers.get('Content-Length')
  if (length !== null && Number(length) > BYTES_MAX) throw new ApiError('body_too_large')
  if (!typed) return readChunked(request).then(requireEmpty)
  // A stated length is held by the platform; only a chunked body has to be counted.
  return length === null ? readChunked(request) : request.text()
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/json *(; *charset="?utf-8"?)? *$/i.test(type)
}

function requireEmpty(text: string): string {
  if (text !== '') throw new ApiError('invalid_content_type')
  return text
}

/** Parses a body. Throws invalid_json, nesting_too_deep. Of a key that stands twice the last counts. */
export function parseBody(text: string): unknown {
  refuseDeepAndLost(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('invalid_json')
  }
}

async function readChunked(request: Request): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > BYTES_MAX) throw new ApiError('body_too_large')
    chunks.push(chunk)
  }
  return decode(await new Blob(chunks).arrayBuffer())
}

let decoder = strictDecoder()

function decode(bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    // A decoder that has failed once is no longer good.
    decoder = strictDecoder()
    throw new ApiError('invalid_json', { message: 'The body is not valid UTF-8' })
  }
}

function strictDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
}

/**
 * Looks at the text itself: brackets outside strings are counted, so that nothing recursive ever meets a deep
 * value. U+FFFD is what the platform puts in place of bytes that are not UTF-8; whether it was sent or put
 * there cannot be told, and it may be written as an escape.
 */
function refuseDeepAndLost(text: string): void {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd)
      throw new ApiError('invalid_json', {
        message: 'The body is not valid UTF-8, or holds U+FFFD: write it as \\ufffd if it is meant',
      })
    if (inString) {
      if (code === 92) index += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > DEPTH_MAX) throw new ApiError('nesting_too_deep')
    } else if (code === 125 || code === 93) depth -= 1
  }
}
