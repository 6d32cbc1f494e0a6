/** A zip archive of texts, packed. `descriptor`: the sizes stand behind the first member and in the directory. */
export async function zipOf(
  members: Readonly<Record<string, string>>,
  { descriptor = false }: { descriptor?: boolean } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const files: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let offset = 0
  for (const [name, text] of Object.entries(members)) {
    const raw = new TextEncoder().encode(text)
    const packed = await deflated(raw)
    const sizes = { packed: packed.byteLength, raw: raw.byteLength, crc: crcOf(raw) }
    const head = header(0x04034b50, name, descriptor ? { packed: 0, raw: 0, crc: 0 } : sizes, descriptor)
    const after = descriptor ? words(0x08074b50, sizes.crc, sizes.packed, sizes.raw) : new Uint8Array()
    entries.push(header(0x02014b50, name, sizes, descriptor, offset))
    files.push(head, packed, after)
    offset += head.byteLength + packed.byteLength + after.byteLength
  }
  const directory = joined(entries)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, entries.length, true)
  end.setUint16(10, entries.length, true)
  end.setUint32(12, directory.byteLength, true)
  end.setUint32(16, offset, true)
  return joined([...files, directory, new Uint8Array(end.buffer)])
}

function header(
  signature: number,
  name: string,
  { packed, raw, crc }: { packed: number; raw: number; crc: number },
  descriptor: boolean,
  offset = 0,
): Uint8Array {
  const ofFile = signature === 0x04034b50
  const text = new TextEncoder().encode(name)
  const view = new DataView(new ArrayBuffer(ofFile ? 30 : 46))
  const at = ofFile ? 4 : 6
  view.setUint32(0, signature, true)
  view.setUint16(at, 20, true)
  view.setUint16(at + 2, descriptor ? 8 : 0, true)
  view.setUint16(at + 4, 8, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, packed, true)
  view.setUint32(at + 18, raw, true)
  view.setUint16(at + 22, text.byteLength, true)
  if (!ofFile) view.setUint32(42, offset, true)
  return joined([new Uint8Array(view.buffer), text])
}

function words(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value, true)
  return new Uint8Array(view.buffer)
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** CRC-32, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
