import { ApiError } from '../errors.ts'
import { readHeader } from '../kit/header.ts'

const BYTES_MAX = 1_048_576
const DEPTH_MAX = 32

/**
 * Returns the text of a JSON body. The bytes are counted during the read, so a body without a length is
 * limited too. Bytes that are not UTF-8 are refused, not replaced: the service must record the text that was
 * sent. A byte order mark is skipped (RFC 8259, section 8.1). With `optional`, an empty body may have any
 * Content-Type or none. Throws invalid_content_type and body_too_large. It is not async, because that would
 * cost one more await.
 */
export function readBody(request: Request, headers: Headers, optional = false): Promise<string> {
  const typed = isJson(readHeader(headers, 'Content-Type') ?? '')
  if (!typed && !optional) throw new ApiError('invalid_content_type')
  const length = readHeader(headers, 'Content-Length')
  if (length !== null && Number(length) > BYTES_MAX) throw new ApiError('body_too_large')
  if (!typed) return readChunked(request).then(requireEmpty)
  // The platform enforces a stated length; only a chunked body must be counted.
  return length === null ? readChunked(request) : request.text()
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)
}

function requireEmpty(text: string): string {
  if (text !== '') throw new ApiError('invalid_content_type')
  return text
}

/** Parses a body. If a key occurs twice, its last value counts. Throws invalid_json, nesting_too_deep. */
export function parseBody(text: string): unknown {
  refuseReplacedBytes(text)
  const value = parse(text)
  if (opens(text, DEPTH_MAX + 1) && isDeeper(value, DEPTH_MAX)) throw new ApiError('nesting_too_deep')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(nestsTooDeep(text) ? 'nesting_too_deep' : 'invalid_json')
  }
}

async function readChunked(request: Request): Promise<string> {
  if (request.body === null) return ''
  return decode(await readBytes(request, BYTES_MAX, () => new ApiError('body_too_large')))
}

/** The bytes of a body. They are counted, so a body without a length is limited too. */
export async function readBytes(
  request: Pick<Request, 'body'>,
  most: number,
  refusal: () => Error,
): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength
    if (size > most) throw refusal()
    chunks.push(chunk)
  }
  return new Blob(chunks).arrayBuffer()
}

/** The chunks of a body. What is left of it can still be read: `readUnread` does it in development. */
export function chunksOf({ body }: Pick<Request, 'body'>): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  return body === null ? [] : body.values({ preventCancel: true })
}

let decoder = strictDecoder()

function decode(bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    // A decoder that has failed once cannot be used again.
    decoder = strictDecoder()
    throw new ApiError('invalid_json', { message: 'The body is not valid UTF-8' })
  }
}

function strictDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
}

/**
 * The platform replaces bytes that are not UTF-8 by U+FFFD. A U+FFFD that was sent looks the same, so it must
 * be written as an escape.
 */
function refuseReplacedBytes(text: string): void {
  if (text.includes('\ufffd'))
    throw new ApiError('invalid_json', {
      message: 'The body is not valid UTF-8, or contains U+FFFD: write that character as \\ufffd',
    })
}

/** Whether a text has at least so many opening brackets. A body with few of them cannot be nested deeply. */
function opens(text: string, brackets: number): boolean {
  let found = 0
  for (const bracket of ['{', '['])
    for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
      found += 1
      if (found === brackets) return true
    }
  return false
}

/**
 * Whether lists and objects are nested in more levels, so that recursive code never gets a deeply nested
 * value. The platform's parser is not recursive.
 */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((each) => isDeeper(each, levels - 1))
  for (const name in value) if (isDeeper(value[name as keyof typeof value], levels - 1)) return true
  return false
}

/** Whether a text that is not JSON nests deeper than a body may. Its error is then the same as for JSON. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) depth += 1
    else if (code === 125 || code === 93) depth -= 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}
