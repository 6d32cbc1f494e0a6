import { ParseError } from '../collector.ts'

/** Bytes at the end of an archive that have its directory: 22 for its end, 65,535 for a comment, and room. */
const TAIL_BYTES = 128 * 1024
const FILE_HEADER = 0x04034b50
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const DEFLATED = 8
const STORED = 0
const HAS_DESCRIPTOR = 8

/** A member whose name ends so, in any case. */
type MemberName = RegExp

/**
 * The bytes of the first member with a name, as they arrive: an archive is never in memory as a whole. If
 * the header lacks the size (a data descriptor), the directory at the end has it. Throws ParseError.
 */
export async function* unzip(
  archive: AsyncIterable<Uint8Array>,
  wanted: MemberName,
  url: string,
): AsyncGenerator<Uint8Array> {
  const input = new ByteReader(archive, url)
  for (;;) {
    const header = await readHeader(input, url)
    if (header === null) throw new ParseError(url, `contains no member ${wanted.source}`)
    const found = wanted.test(header.name)
    if (!found && header.size === null)
      throw new ParseError(url, `has another member first, ${header.name.slice(0, 80)}, of unknown size`)
    const packed = input.take(header.size)
    if (!found) for await (const _ of packed);
    else {
      let crc = CRC_START
      for await (const chunk of header.method === STORED ? packed : inflated(packed, url)) {
        crc = crcOf(chunk, crc)
        yield chunk
      }
      if ((crc ^ CRC_START) >>> 0 !== (header.crc ?? input.crc))
        throw new ParseError(url, 'does not have the checksum that its archive states')
      return
    }
  }
}

/** `crc` and `size` are null if they stand behind the member. */
type Header = { name: string; method: number; size: number | null; crc: number | null }

const CRC_START = 0xffffffff
const CRC_TABLE = new Int32Array(256).map((_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 of ISO 3309 over more bytes. Begin with CRC_START, and invert the last one. */
function crcOf(bytes: Uint8Array, before: number): number {
  let crc = before
  for (let at = 0; at < bytes.length; at += 1)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return crc
}

async function readHeader(input: ByteReader, url: string): Promise<Header | null> {
  const bytes = await input.exactly(30)
  if (bytes === null) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const signature = view.getUint32(0, true)
  if (signature === DIRECTORY_ENTRY || signature === DIRECTORY_END) return null
  if (signature !== FILE_HEADER) throw new ParseError(url, 'is no zip archive')
  const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)]
  const rest = await input.exactly(view.getUint16(26, true) + view.getUint16(28, true))
  if (rest === null || (method !== DEFLATED && method !== STORED) || (flags & 1) !== 0)
    throw new ParseError(url, 'is a zip archive that is cut off, encrypted or packed in another way')
  return {
    name: new TextDecoder().decode(rest.subarray(0, view.getUint16(26, true))),
    method,
    size: (flags & HAS_DESCRIPTOR) === 0 ? view.getUint32(18, true) : null,
    crc: (flags & HAS_DESCRIPTOR) === 0 ? view.getUint32(14, true) : null,
  }
}

async function* inflated(packed: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  const inflating = new DecompressionStream('deflate-raw')
  const writer = inflating.writable.getWriter()
  let fault: unknown = null
  const written = (async () => {
    for await (const chunk of packed) await writer.write(new Uint8Array(chunk))
    await writer.close()
  })().catch(async (thrown: unknown) => {
    fault = thrown
    await writer.abort(thrown).catch(() => undefined)
  })
  try {
    for await (const chunk of inflating.readable) yield chunk
    await written
  } catch (thrown) {
    await written
    throw fault instanceof ParseError ? fault : new ParseError(url, `cannot be unpacked (${String(thrown)})`)
  }
  if (fault instanceof Error) throw fault
}

/** Reads bytes of a stream in the sizes that are asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #url: string
  /** The checksum of the first member, if it stands in the directory. */
  crc = 0
  #held: Uint8Array<ArrayBufferLike> = new Uint8Array()
  #read = 0

  constructor(chunks: AsyncIterable<Uint8Array>, url: string) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#url = url
  }

  /** So many bytes; null at the end of the stream. Throws ParseError if it ends within them. */
  async exactly(size: number): Promise<Uint8Array | null> {
    while (this.#held.byteLength < size) {
      const more = await this.#chunks.next()
      if (more.done === true) {
        if (this.#held.byteLength === 0) return null
        throw new ParseError(this.#url, 'is cut off')
      }
      this.#held = joined(this.#held, more.value)
    }
    const bytes = this.#held.slice(0, size)
    this.#held = this.#held.subarray(size)
    this.#read += size
    return bytes
  }

  /** So many bytes as they arrive. Without a size, the directory at the end of the stream says it. */
  async *take(size: number | null): AsyncGenerator<Uint8Array> {
    const start = this.#read
    let left = size
    for (;;) {
      const free = left ?? this.#held.byteLength - TAIL_BYTES
      const length = Math.min(free, this.#held.byteLength)
      if (length > 0) {
        yield this.#held.subarray(0, length)
        this.#held = this.#held.subarray(length)
        this.#read += length
        if (left !== null) left -= length
      }
      if (left === 0) return
      const more = await this.#chunks.next()
      if (more.done !== true) this.#held = joined(this.#held, more.value)
      else if (left === null) left = start + this.#readDirectory() - this.#read
      else throw new ParseError(this.#url, 'is cut off')
      if (left !== null && left < 0) throw new ParseError(this.#url, 'has a directory that is wrong')
    }
  }

  /** The packed size of the first member, by the directory at the end; its checksum is kept. */
  #readDirectory(): number {
    const tail = new DataView(this.#held.buffer, this.#held.byteOffset, this.#held.byteLength)
    for (let at = tail.byteLength - 22; at >= 0; at -= 1) {
      if (tail.getUint32(at, true) !== DIRECTORY_END) continue
      const entry = tail.getUint32(at + 16, true) - this.#read
      if (entry >= 0 && entry + 46 <= at && tail.getUint32(entry, true) === DIRECTORY_ENTRY) {
        this.crc = tail.getUint32(entry + 16, true)
        return tail.getUint32(entry + 20, true)
      }
    }
    throw new ParseError(this.#url, 'is cut off: its directory is missing')
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBufferLike> {
  if (first.byteLength === 0) return second
  const both = new Uint8Array(first.byteLength + second.byteLength)
  both.set(first)
  both.set(second, first.byteLength)
  return both
}
