import type { Bindings } from '../../platform/bindings.ts'
import { ApiError } from '../../platform/errors.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { heldMap } from '../../platform/kit/memory.ts'
import { type PublicKey, readPublicKeys } from './remote.ts'
import { type InstallRow, keepKeys, readInstall, takeTurnToReadKeys } from './store.ts'
import * as z from 'zod'
import { fromBase64 } from '../../platform/kit/base64.ts'
import { readHeader } from '../../platform/kit/header.ts'

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

/** While a shop replaces a key, it may have two of one id. Each costs a verification. */
const KEYS_OF_ID_MAX = 2

/** Whether one of the keys has signed the body. At most two keys with the id of the signature are tried. */
async function isSigned(
  keys: readonly PublicKey[],
  { kid, header, bytes }: Signature,
  body: string,
): Promise<boolean> {
  const signed = new TextEncoder().encode(`${header}.${body}`)
  for (const key of keys.filter((each) => each.kid === kid).slice(0, KEYS_OF_ID_MAX)) {
    const imported = await imports(key)
    if (imported !== null && (await crypto.subtle.verify(imported.algorithm.name, imported, bytes, signed)))
      return true
  }
  return false
}

/** Null: the numbers are no key. The others of the shop serve on. */
async function imports({ n, e }: PublicKey): Promise<CryptoKey | null> {
  const jwk = { kty: 'RSA', n, e, alg: 'RS256', ext: true }
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  try {
    return await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  } catch {
    return null
  }
}

/** Keys that are older are read again in the background, while they still serve. */
const KEYS_KEPT_MS = 3_600_000
/** A shop is asked for its keys once in this time, whatever signatures come. */
const KEYS_TURN_MS = 60_000

/** Shops whose signature was right lately, by their ids. The key of one that was disconnected has ended. */
const known = heldMap<string, { install: InstallRow; until: number }>()
const KNOWN_MS = 30_000
const KNOWN_MAX = 1_000

/** Takes work that goes on after the answer. */
type Background = (work: Promise<void>) => void

const ID = /^sal_[0-7][0-9a-hjkmnp-tv-z]{25}$/

type SignedRequest = { id: string; headers: Headers; body: string }

/**
 * The shop that has signed the body of a request. Its address says which shop it claims to be, and the public
 * keys at the address that the account has named decide. `beforeLookUp` is called before the database is
 * asked for a shop that has not signed lately; it may throw to refuse. Throws invalid_signature: the same for
 * an unknown shop and for a bad signature.
 */
export async function shopOfRequest(
  env: Bindings,
  request: SignedRequest,
  now: Date,
  { background, beforeLookUp }: { background: Background; beforeLookUp: () => void },
): Promise<InstallRow> {
  const { id, headers, body } = request
  const signature = readSignature(readHeader(headers, 'Saleor-Signature'))
  if (signature === null || !ID.test(id)) throw new ApiError('invalid_signature')
  const held = known.get(id)
  if (
    held !== undefined &&
    held.until > now.getTime() &&
    isApiOf(held.install, readHeader(headers, 'Saleor-Api-Url'))
  )
    if (await isSigned(keysOf(held.install), signature, body)) return held.install
  beforeLookUp()
  const install = await lookUpSigner(env, request, signature, now, background)
  const [oldest] = known.keys()
  if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest)
  known.set(id, { install, until: now.getTime() + KNOWN_MS })
  return install
}

function keysOf({ jwks }: InstallRow): PublicKey[] {
  return JSON.parse(jwks ?? '[]')
}

async function lookUpSigner(
  env: Bindings,
  { id, headers, body }: SignedRequest,
  signature: Signature,
  now: Date,
  background: Background,
): Promise<InstallRow> {
  const install = await readInstall(env.DB, id)
  if (install === null || install.jwks === null) throw new ApiError('invalid_signature')
  if (!isApiOf(install, readHeader(headers, 'Saleor-Api-Url'))) throw new ApiError('invalid_signature')
  const kept = keysOf(install)
  const age = now.getTime() - Date.parse(install.jwks_read_at ?? '')
  if (await isSigned(kept, signature, body)) {
    // A shop that does not tell its keys must not fail a checkout whose signature is right.
    if (age >= KEYS_KEPT_MS) background(readKeysAgain(env, install, now))
    return install
  }
  const isNew = !kept.some(({ kid }) => kid === signature.kid)
  const keys = age >= (isNew ? KEYS_TURN_MS : KEYS_KEPT_MS) ? await readKeys(env, install, now) : null
  if (keys === null || !(await isSigned(keys, signature, body))) throw new ApiError('invalid_signature')
  return { ...install, jwks: JSON.stringify(keys) }
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
  known.delete(install.id)
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
