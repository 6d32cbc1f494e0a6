const encoder = new TextEncoder()

/** The service lacks the key that encrypts the secrets of subscribers. */
export class NoEncryptionKey extends Error {
  constructor() {
    super('The secret ENCRYPTION_KEY is not set: webhooks cannot be stored')
  }
}

/** A new signing secret: 32 random bytes as text. The whole text is the key, with its prefix. */
export function newSecret(): string {
  return `whsec_${toBase64Url(crypto.getRandomValues(new Uint8Array(32)))}`
}

/**
 * Encrypts a secret with AES-GCM under ENCRYPTION_KEY. It is bound to the webhook, so it cannot be copied to
 * another row.
 */
export async function encryptSecret(
  key: string | undefined,
  webhook_id: string,
  secret: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(
    aesParameters(iv, webhook_id),
    await keyOf(key),
    encoder.encode(secret),
  )
  return `${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
}

/** Throws if the secret was encrypted under another key. */
export async function decryptSecret(
  key: string | undefined,
  webhook_id: string,
  stored: string,
): Promise<string> {
  const [iv = '', sealed = ''] = stored.split('.')
  const opened = await crypto.subtle.decrypt(
    aesParameters(fromBase64Url(iv), webhook_id),
    await keyOf(key),
    fromBase64Url(sealed),
  )
  return new TextDecoder().decode(opened)
}

/**
 * Hex HMAC-SHA256 of `timestamp.body`, with the secret as key (specification, section 6.3). `timestamp` is in
 * Unix seconds.
 */
export async function signatureOf(secret: string, timestamp: number, body: Uint8Array): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signed = new Uint8Array([...encoder.encode(`${timestamp}.`), ...body])
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))
}

/** Any text can be the key: its SHA-256 has the length that AES needs. */
async function keyOf(text: string | undefined): Promise<CryptoKey> {
  if (!text) throw new NoEncryptionKey()
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function aesParameters(iv: Uint8Array, webhook_id: string) {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(webhook_id) }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
