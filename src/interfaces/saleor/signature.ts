import * as z from 'zod'
import { fromBase64 } from '../../platform/kit/base64.ts'
import type { PublicKey } from './remote.ts'

/** A detached signature (RFC 7515, appendix F) over the raw body (RFC 7797), as Saleor signs. */
type Signature = { kid: string; header: string; bytes: Uint8Array<ArrayBuffer> }

/** No other algorithm, and no other extension than the one that we know. */
const Header = z.object({
  alg: z.literal('RS256'),
  kid: z.string().max(200).default(''),
  b64: z.literal(false),
  crit: z.tuple([z.literal('b64')]),
})

const LENGTH_MAX = 4_096
const FORM = /^([\w-]+)\.\.([\w-]+)$/

/** Reads the header `Saleor-Signature`. Null: it is missing, or not such a signature. */
export function readSignature(text: string | null): Signature | null {
  if (text === null || text.length > LENGTH_MAX) return null
  const [, header = '', bytes = ''] = FORM.exec(text) ?? []
  if (header === '') return null
  try {
    const read = Header.safeParse(JSON.parse(new TextDecoder().decode(fromBase64(header))))
    return read.success ? { kid: read.data.kid, header, bytes: fromBase64(bytes) } : null
  } catch {
    return null
  }
}

/** Whether one of the keys has signed the body. Only a key with the id of the signature is tried. */
export async function isSigned(
  keys: readonly PublicKey[],
  { kid, header, bytes }: Signature,
  body: string,
): Promise<boolean> {
  const signed = new TextEncoder().encode(`${header}.${body}`)
  for (const { n, e } of keys.filter((key) => key.kid === kid)) {
    const jwk = { kty: 'RSA', n, e, alg: 'RS256', ext: true }
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    if (await crypto.subtle.verify(algorithm.name, key, bytes, signed)) return true
  }
  return false
}
