import { ApiError } from '../errors.ts'

const BYTES_MAX = 1_048_576
const DEPTH_MAX = 32

/**
 * The text of a JSON body, counted while it is read, so that a body without a length is limited too. Bytes that are not UTF-8 are refused, not
 * replaced: what is recorded must be what was sent. A byte order mark is passed over, as RFC 8259, section 8.1, allows.
 */
export async function readBody(request: Request): Promise<string> {
  const type = request.headers.get('Content-Type') ?? ''
  if (type !== 'application/json' && !/^application\/json *(; *charset="?utf-8"?)? *$/i.test(type))
    throw new ApiError('invalid_content_type')
  const length = request.headers.get('Content-Length')
  if (length !== null && Number(length) > BYTES_MAX) throw new ApiError('body_too_large')
  // A stated length is held by the platform; only a chunked body has to be counted.
  return length === null ? readChunked(request) : readWhole(request)
}

/**
 * The platform's own reading is quicker than ours by a twentieth of a calculation, and puts U+FFFD in place of what is not UTF-8. Whether it was sent
 * or put there cannot be told afterwards: it is refused either way, and may be written as an escape.
 */
async function readWhole(request: Request): Promise<string> {
  const text = await request.text()
  if (text.includes('\uFFFD'))
    throw new ApiError('invalid_json', { message: 'The body is not valid UTF-8, or holds U+FFFD: write it as \\ufffd if it is meant' })
  return text
}

/** Parses a body. Throws invalid_json, nesting_too_deep. Of a key that stands twice the last counts. */
export function parseBody(text: string): unknown {
  if (isTooDeep(text)) throw new ApiError('nesting_too_deep')
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

/** Counts brackets outside strings on the text itself: nothing recursive ever meets a deep value. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > DEPTH_MAX) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}
