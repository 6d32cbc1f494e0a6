import {
  decryptSecret,
  encryptSecret,
  type EncryptionKeys,
  keyIdOf,
  NoEncryptionKey,
  unseal,
} from './secrets.ts'

/** Longer than time travel reaches back: 30 days. */
const KEPT_S = 35 * 86_400
const PREFIX = 'encryption-key:'

type Keys = EncryptionKeys & { KV: KVNamespace }

/** When an old key was replaced by another one. It says how long the old one must stay. */
type Replaced = { until: number }

/**
 * Keeps the key that is being replaced for 35 days, sealed under the next one, and seals the keys from before
 * again. They are in KV, which no restore of a database takes back: a database from before has secrets under
 * the old keys. Can be repeated.
 */
export async function keepOldKeys(keys: Keys, now: Date): Promise<void> {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_NEXT, KV } = keys
  if (!ENCRYPTION_KEY || !ENCRYPTION_KEY_NEXT) return
  const next_id = await keyIdOf(ENCRYPTION_KEY_NEXT)
  const replaced = PREFIX + (await keyIdOf(ENCRYPTION_KEY))
  if (!(await isSealedUnder(KV, replaced, next_id)))
    await put(keys, replaced, ENCRYPTION_KEY, Math.floor(now.getTime() / 1_000) + KEPT_S)
  const { keys: names } = await KV.list<Replaced>({ prefix: PREFIX })
  for (const { name, metadata, expiration } of names) {
    const sealed = await KV.get(name)
    if (sealed === null || sealed.endsWith(`.${next_id}`)) continue
    const until = expiration ?? metadata?.until
    if (until !== undefined) await put(keys, name, await decryptSecret(keys, name, sealed), until)
  }
}

/** Whether the key that was replaced is kept under the key with this id. The rotation waits for that. */
export async function isOldKeyKept(KV: KVNamespace, key_id: string): Promise<boolean> {
  const { keys: names } = await KV.list({ prefix: PREFIX })
  const sealed = await Promise.all(names.map(({ name }) => KV.get(name)))
  return sealed.some((text) => text?.endsWith(`.${key_id}`) === true)
}

/** Decrypts a stored secret: see `openSealed`. */
export async function openSecret(keys: Keys, webhook_id: string, stored: string): Promise<string> {
  return new TextDecoder().decode(await openSealed(keys, webhook_id, stored))
}

/**
 * Opens what was sealed, if need be with a key that was replaced lately: after a restore, secrets are under
 * the key of the past. Throws if no key fits.
 */
export async function openSealed(keys: Keys, name: string, stored: string, use = ''): Promise<ArrayBuffer> {
  const [, , id] = stored.split('.')
  try {
    return await unseal(keys, name, stored, use)
  } catch (thrown) {
    if (id === undefined || thrown instanceof NoEncryptionKey) throw thrown
    const sealed = await keys.KV.get(PREFIX + id)
    if (sealed === null) throw thrown
    const old = await decryptSecret(keys, PREFIX + id, sealed)
    return unseal({ ENCRYPTION_KEY: old }, name, stored, use)
  }
}

async function isSealedUnder(KV: KVNamespace, name: string, key_id: string): Promise<boolean> {
  return (await KV.get(name))?.endsWith(`.${key_id}`) === true
}

/** `expiration` is in Unix seconds, and stays when a key is sealed again. */
async function put(keys: Keys, name: string, key: string, expiration: number): Promise<void> {
  const sealed = await encryptSecret(keys, name, key)
  await keys.KV.put(name, sealed, { expiration, metadata: { until: expiration } satisfies Replaced })
}
