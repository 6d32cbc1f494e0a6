import { fromBase64, toBase64 } from '../kit/base64.ts'

/** Shorter texts stay as they are: compression would hardly shorten them. */
const PLAIN_MAX = 8_192
/** JSON never begins with this mark. */
const MARK = 'gzip:'

/** A text for a column: as it is, or compressed with gzip and written in base64 if it is long. */
export async function pack(text: string): Promise<string> {
  if (text.length <= PLAIN_MAX) return text
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return MARK + toBase64(new Uint8Array(await new Response(stream).arrayBuffer()))
}

/** The text that `pack` was given. */
export async function unpack(packed: string): Promise<string> {
  if (!packed.startsWith(MARK)) return packed
  const bytes = fromBase64(packed.slice(MARK.length))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}
