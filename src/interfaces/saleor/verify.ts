import type { Bindings } from '../../platform/bindings.ts'
import { ApiError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { type PublicKey, readPublicKeys } from './remote.ts'
import { type InstallRow, keepKeys, readInstall, takeTurnToReadKeys } from './store.ts'
import * as z from 'zod'
import { fromBase64 } from '../../platform/kit/base64.ts'

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
function readSignature(text: string | null): Signature | null {
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
async function isSigned(
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

/** Keys that are older are read again in the background, while they still serve. */
const KEYS_KEPT_MS = 3_600_000
/** A shop is asked for its keys once in this time, whatever signatures come. */
const KEYS_TURN_MS = 60_000

/** Takes work that goes on after the answer. */
type Background = (work: Promise<void>) => void

const ID = /^sal_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/**
 * The shop that has signed the body of a request. Its address says which shop it claims to be, and the public
 * keys at the address that the account has named decide. Throws invalid_signature: the same for an unknown
 * shop and for a bad signature.
 */
export async function shopOfRequest(
  env: Bindings,
  { id, headers, body }: { id: string; headers: Headers; body: string },
  now: Date,
  background: Background,
): Promise<InstallRow> {
  const signature = readSignature(headers.get('Saleor-Signature'))
  const install = signature !== null && ID.test(id) ? await readInstall(env.DB, id) : null
  if (signature === null || install === null || install.jwks === null) throw new ApiError('invalid_signature')
  if (!isApiOf(install, headers.get('Saleor-Api-Url'))) throw new ApiError('invalid_signature')
  const kept: PublicKey[] = JSON.parse(install.jwks)
  const age = now.getTime() - Date.parse(install.jwks_read_at ?? '')
  if (await isSigned(kept, signature, body)) {
    // A shop that does not tell its keys must not fail a checkout whose signature is right.
    if (age >= KEYS_KEPT_MS) background(readKeysAgain(env, install, now))
    return install
  }
  const isNew = !kept.some(({ kid }) => kid === signature.kid)
  const keys = age >= (isNew ? KEYS_TURN_MS : KEYS_KEPT_MS) ? await readKeys(env, install, now) : null
  if (keys === null || !(await isSigned(keys, signature, body))) throw new ApiError('invalid_signature')
  return install
}

/** Whether a header names the API to which the account has bound the shop. */
export function isApiOf({ saleor_api_url }: InstallRow, header: string | null): boolean {
  return header !== null && URL.canParse(header) && new URL(header).href === saleor_api_url
}

/** Reads the keys of a shop again, and keeps them. Null: another request has taken the turn meanwhile. */
async function readKeys(env: Bindings, install: InstallRow, now: Date): Promise<PublicKey[] | null> {
  if (!(await takeTurnToReadKeys(env.DB, install, now.toISOString()))) return null
  const keys = await readPublicKeys(env, install.saleor_api_url)
  await keepKeys(env.DB, install, JSON.stringify(keys))
  return keys
}

async function readKeysAgain(env: Bindings, install: InstallRow, now: Date): Promise<void> {
  try {
    await readKeys(env, install, now)
  } catch (thrown) {
    // The kept keys serve on, and are read again after another hour.
    logFault({ saleor_install: install.id, step: 'keys' }, thrown)
  }
}
