import type { Bindings } from '../bindings.ts'
import { ApiError } from '../errors.ts'
import { type PublicKey, readPublicKeys } from './remote.ts'
import { isSigned, readSignature, type Signature } from './signature.ts'
import { type InstallRow, keepKeys, readInstall, takeTurnToReadKeys } from './store.ts'

/** A key that the shop withdrew is accepted for so long at most. */
const KEYS_KEPT_MS = 3_600_000
/** A shop is asked for its keys once in this time, whatever signatures come. */
const KEYS_TURN_MS = 60_000

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
): Promise<InstallRow> {
  const signature = readSignature(headers.get('Saleor-Signature'))
  const install = signature !== null && ID.test(id) ? await readInstall(env.DB, id) : null
  if (signature === null || install === null || install.jwks === null) throw new ApiError('invalid_signature')
  if (!isApiOf(install, headers.get('Saleor-Api-Url'))) throw new ApiError('invalid_signature')
  const keys = await keysFor(env, install, signature, now)
  if (!(await isSigned(keys, signature, body))) throw new ApiError('invalid_signature')
  return install
}

/** Whether a header names the API to which the account has bound the shop. */
export function isApiOf({ saleor_api_url }: InstallRow, header: string | null): boolean {
  return header !== null && URL.canParse(header) && new URL(header).href === saleor_api_url
}

/** The keys of the shop, read again if they are old, or if the signature names a new one. */
async function keysFor(
  env: Bindings,
  install: InstallRow,
  { kid }: Signature,
  now: Date,
): Promise<readonly PublicKey[]> {
  const kept: PublicKey[] = JSON.parse(install.jwks ?? '[]')
  const age = now.getTime() - Date.parse(install.jwks_read_at ?? '')
  const known = kept.some((key) => key.kid === kid)
  if (known ? age < KEYS_KEPT_MS : age < KEYS_TURN_MS) return kept
  if (!(await takeTurnToReadKeys(env.DB, install, now.toISOString()))) return kept
  const keys = await readPublicKeys(env, install.saleor_api_url)
  await keepKeys(env.DB, install, JSON.stringify(keys))
  return keys
}
