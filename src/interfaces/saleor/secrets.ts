import type { Bindings } from '../../platform/bindings.ts'
import { openSecret } from '../../notices/delivery/kept-keys.ts'
import { encryptSecret } from '../../notices/delivery/secrets.ts'

/** The secrets of a shop: our key with which it is answered, and the token that the shop gave us. */
export type SecretName = 'api_key' | 'auth_token'

/** Seals a secret as those of webhooks are. It is bound to the shop and its column. */
export async function sealOf(env: Bindings, id: string, name: SecretName, secret: string): Promise<string> {
  return encryptSecret(env, `${id} ${name}`, secret)
}

/** Opens a sealed secret, also after a restore from before a rotation of the key. */
export async function openOf(env: Bindings, id: string, name: SecretName, sealed: string): Promise<string> {
  return openSecret(env, `${id} ${name}`, sealed)
}
