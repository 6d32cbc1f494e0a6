import { sha256 } from './sha256.ts'

/** Where the bucket of backups has copies of chests. */
export const COPIES_PREFIX = 'chests/'

type Bytes = Uint8Array<ArrayBuffer>

/** A value as JSON in a gzip of its own, and the hash of that. */
export async function packJson(value: object): Promise<{ bytes: Bytes; sha256: string }> {
  const bytes = await throughStream(JSON.stringify(value), new CompressionStream('gzip'))
  return { bytes, sha256: await sha256(bytes) }
}

/** The value that `packJson` was given; null: the bytes are not those that were written. */
export async function unpackJson<Value>(bytes: Bytes, hash: string): Promise<Value | null> {
  if ((await sha256(bytes)) !== hash) return null
  const text = await throughStream(bytes, new DecompressionStream('gzip'))
  return JSON.parse(new TextDecoder().decode(text)) as Value
}

async function throughStream(
  content: string | Bytes,
  stream: CompressionStream | DecompressionStream,
): Promise<Bytes> {
  const out = new Blob([content]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(out).arrayBuffer())
}

/** Some bytes of an object; null: it is absent, or the bucket failed. */
export async function readBytes(
  bucket: R2Bucket | undefined,
  key: string,
  range?: { offset: number; length: number },
): Promise<Bytes | null> {
  try {
    const stored = await bucket?.get(key, range && { range })
    return stored ? new Uint8Array(await stored.arrayBuffer()) : null
  } catch (thrown) {
    console.error(JSON.stringify({ level: 'error', sealed: key, error: String(thrown) }))
    return null
  }
}
