import type { Bindings } from '../../platform/bindings.ts'
import { toBase64 } from '../../platform/kit/base64.ts'
import { sha256 } from '../../platform/kit/sha256.ts'
import { openSecret } from '../delivery/kept-keys.ts'
import { encryptSecret } from '../delivery/secrets.ts'

/** What is sealed: columns of the settings, and the token of a recipient by the person's id. */
export type SealedName = 'chat_url' | 'chat_secret' | `person_${string}`

/** Seals a secret as those of webhooks are. It is bound to the account and its place. */
export async function sealOf(
  env: Bindings,
  account_id: string,
  name: SealedName,
  secret: string,
): Promise<string> {
  return encryptSecret(env, `messages ${account_id} ${name}`, secret)
}

/** Opens a sealed secret, also after a restore from before a rotation of the key. */
export async function openOf(
  env: Bindings,
  account_id: string,
  name: SealedName,
  sealed: string,
): Promise<string> {
  return openSecret(env, `messages ${account_id} ${name}`, sealed)
}

/** The name under which the token of a person is sealed. */
export function sealNameOf(person_id: string): SealedName {
  return `person_${person_id}`
}

/** A new token for a link to stop, and the hash by which it is found. */
export async function newStopToken(): Promise<{ token: string; hash: string }> {
  const token = toBase64(crypto.getRandomValues(new Uint8Array(24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return { token, hash: await sha256(token) }
}
