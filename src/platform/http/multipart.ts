import type { FileBytes } from './file-body.ts'
import { readHeader } from '../kit/header.ts'

/** Parts of one form: our own have seven fields. */
const PARTS_MAX = 20
/** Bytes of the headers of a part. A browser writes the name of the file there, which is never read. */
const HEADERS_MAX = 2_000

/** The values of a form by the names of its fields. */
export type FormParts = ReadonlyMap<string, FileBytes>

/**
 * The first bytes of a body, and whether they are the whole. No more than `most` are read or held, whatever
 * the sender says of the length.
 */
export async function readAtMost(
  request: Request,
  most: number,
): Promise<{ bytes: FileBytes; whole: boolean }> {
  const stated = Number(readHeader(request.headers, 'Content-Length') ?? most)
  const bytes = new Uint8Array(Number.isSafeInteger(stated) && stated < most ? Math.max(0, stated) : most)
  let size = 0
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    const room = bytes.length - size
    bytes.set(chunk.byteLength > room ? chunk.subarray(0, room) : chunk, size)
    if (chunk.byteLength > room) return { bytes, whole: false }
    size += chunk.byteLength
  }
  return { bytes: bytes.subarray(0, size), whole: true }
}

/**
 * The parts of a multipart/form-data body (RFC 7578) by their names, as views of its bytes. What is cut off
 * at its end is left out. Names of files and types of parts are not read. Null: it is no such body, it has
 * too many parts, or a name twice.
 */
export function partsOf(bytes: FileBytes, content_type: string | null): FormParts | null {
  const boundary = BOUNDARY.exec(content_type ?? '')
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) return null
  const delimiter = new TextEncoder().encode(`\r\n--${name}`)
  const parts = new Map<string, FileBytes>()
  // The first delimiter has no line before it.
  let at = startsWith(bytes, delimiter.subarray(2), 0) ? delimiter.length - 2 : -1
  while (at >= 0 && !startsWith(bytes, END, at)) {
    const next = indexOf(bytes, delimiter, at)
    if (next < 0) return parts
    const part = partOf(bytes.subarray(at, next))
    if (part === null || parts.has(part.name) || parts.size === PARTS_MAX) return null
    parts.set(part.name, part.content)
    at = next + delimiter.length
  }
  return at < 0 ? null : parts
}

const BOUNDARY = /^multipart\/form-data *;.*?\bboundary=(?:"([^"\r\n]{1,70})"|([^\s",;]{1,70}))/i
const END = new TextEncoder().encode('--')
const BREAK = new TextEncoder().encode('\r\n')
const BLANK_LINE = new TextEncoder().encode('\r\n\r\n')

/** The name and the content of a part: between two delimiters, after headers and a blank line. */
function partOf(bytes: FileBytes): { name: string; content: FileBytes } | null {
  if (!startsWith(bytes, BREAK, 0)) return null
  const end = indexOf(bytes.subarray(0, HEADERS_MAX), BLANK_LINE, 0)
  if (end < 0) return null
  const headers = new TextDecoder().decode(bytes.subarray(0, end))
  const name = /\r\ncontent-disposition: *form-data *; *name="([\w-]{1,60})"/i.exec(headers)?.[1]
  return name === undefined ? null : { name, content: bytes.subarray(end + BLANK_LINE.length) }
}

function startsWith(bytes: FileBytes, sought: Uint8Array, at: number): boolean {
  for (let index = 0; index < sought.length; index += 1) if (bytes[at + index] !== sought[index]) return false
  return true
}

/** Where some bytes begin, from a place on; -1: nowhere. The search for the first byte is the platform's. */
function indexOf(bytes: FileBytes, sought: Uint8Array, from: number): number {
  const first = sought[0] ?? 0
  let at = bytes.indexOf(first, from)
  while (at >= 0 && !startsWith(bytes, sought, at)) at = bytes.indexOf(first, at + 1)
  return at
}
