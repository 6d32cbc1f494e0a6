import { fromBase64, toBase64 } from '../../platform/kit/base64.ts'

const encoder = new TextEncoder()

/** The keys that encrypt the secrets of webhooks: `next` while the key is being replaced. */
export type EncryptionKeys = { ENCRYPTION_KEY?: string; ENCRYPTION_KEY_NEXT?: string }

/** The service lacks the key that encrypts the secrets of subscribers. */
export class NoEncryptionKey extends Error {
  constructor() {
    super('The secret ENCRYPTION_KEY is not set: webhooks cannot be stored')
  }
}

/**
 * A new signing secret: `whsec_` and 32 random bytes in standard base64. The whole text is the key of
 * X-Service-Signature, and the decoded bytes are the key of Standard Webhooks.
 */
export function newSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`
}

/**
 * Encrypts a secret, bound to the webhook, so it cannot be copied to another row. The text ends with the id
 * of the key: `iv.sealed.key`.
 */
export async function encryptSecret(
  keys: EncryptionKeys,
  webhook_id: string,
  secret: string,
): Promise<string> {
  return seal(keys, webhook_id, new Uint8Array(encoder.encode(secret)))
}

/** Decrypts a stored secret. Throws if its key is not one of the two. */
export async function decryptSecret(
  keys: EncryptionKeys,
  webhook_id: string,
  stored: string,
): Promise<string> {
  return new TextDecoder().decode(await unseal(keys, webhook_id, stored))
}

/**
 * Encrypts bytes with AES-GCM, under ENCRYPTION_KEY_NEXT if it is set, and binds them to a name. `use` gives
 * what is sealed often a key of its own, because one key seals at most 2^32 times (NIST SP 800-38D, 8.3).
 */
export async function seal(
  keys: EncryptionKeys,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  use = '',
): Promise<string> {
  const key = keys.ENCRYPTION_KEY_NEXT || keys.ENCRYPTION_KEY
  if (!key) throw new NoEncryptionKey()
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(aesParameters(iv, name), await aesKeyOf(use + key), bytes)
  return `${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}.${await keyIdOf(key)}`
}

/**
 * Decrypts what was sealed. A text without the id of a key was sealed under ENCRYPTION_KEY. Throws if the key
 * is not one of the two, and if the text, the name or the use is another one.
 */
export async function unseal(
  keys: EncryptionKeys,
  name: string,
  stored: string,
  use = '',
): Promise<ArrayBuffer> {
  const [iv = '', sealed = '', id] = stored.split('.')
  const key = await aesKeyOf(use + (await keyWithId(keys, id)))
  return crypto.subtle.decrypt(aesParameters(fromBase64(iv), name), key, fromBase64(sealed))
}

/** The id of a key: it tells keys apart and reveals nothing of them. */
export async function keyIdOf(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`id of ${key}`))
  return toHex(new Uint8Array(hash).subarray(0, 4))
}

async function keyWithId(
  { ENCRYPTION_KEY, ENCRYPTION_KEY_NEXT }: EncryptionKeys,
  id: string | undefined,
): Promise<string> {
  const given = [ENCRYPTION_KEY, ENCRYPTION_KEY_NEXT].flatMap((key) => (key ? [key] : []))
  if (id === undefined && ENCRYPTION_KEY) return ENCRYPTION_KEY
  for (const key of given) if ((await keyIdOf(key)) === id) return key
  throw given.length === 0
    ? new NoEncryptionKey()
    : new Error(`The secret of a webhook is encrypted under another key, with the id ${id}`)
}

/**
 * Hex HMAC-SHA256 of `timestamp.body`, with the secret as key (specification, section 6.3). `timestamp` is in
 * Unix seconds.
 */
export async function signatureOf(secret: string, timestamp: number, body: Uint8Array): Promise<string> {
  return toHex(await hmac(new Uint8Array(encoder.encode(secret)), `${timestamp}.`, body))
}

/**
 * The signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. The key is the
 * decoded secret.
 */
export async function standardSignatureOf(
  secret: string,
  id: string,
  timestamp: number,
  body: Uint8Array,
): Promise<string> {
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  return `v1,${toBase64(await hmac(key, `${id}.${timestamp}.`, body))}`
}

async function hmac(key: Uint8Array<ArrayBuffer>, head: string, body: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signed = new Uint8Array([...encoder.encode(head), ...body])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed))
}

/** Any text can be the key: its SHA-256 has the length that AES needs. */
async function aesKeyOf(text: string): Promise<CryptoKey> {
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function aesParameters(iv: Uint8Array<ArrayBuffer>, bound_to: string) {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(bound_to) }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
