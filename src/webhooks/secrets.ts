const encoder = new TextEncoder()

/** The service lacks the secret under which it keeps those of subscribers. */
export class NoEncryptionKey extends Error {
  constructor() {
    super('The secret ENCRYPTION_KEY is not set: webhooks cannot be kept')
  }
}

/** A new signing secret: 32 random bytes. It is used as the text that it is, prefix included. */
export function newSecret(): string {
  return `whsec_${toBase64Url(crypto.getRandomValues(new Uint8Array(32)))}`
}

/**
 * AES-GCM under ENCRYPTION_KEY, bound to the webhook, so that one row's secret is worth nothing in another.
 */
export async function encryptSecret(
  key: string | undefined,
  webhook_id: string,
  secret: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(bound(iv, webhook_id), await keyOf(key), encoder.encode(secret))
  return `${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
}

/** Throws when the key is another than the one that the secret was encrypted under. */
export async function decryptSecret(
  key: string | undefined,
  webhook_id: string,
  stored: string,
): Promise<string> {
  const [iv = '', sealed = ''] = stored.split('.')
  const opened = await crypto.subtle.decrypt(
    bound(fromBase64Url(iv), webhook_id),
    await keyOf(key),
    fromBase64Url(sealed),
  )
  return new TextDecoder().decode(opened)
}

/**
 * Hex HMAC-SHA256 of `timestamp.body`, keyed with the secret (specification, section 6.3). `timestamp` in
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

/** Any text is a good key: its SHA-256 has the length that AES asks for. */
async function keyOf(text: string | undefined): Promise<CryptoKey> {
  if (!text) throw new NoEncryptionKey()
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function bound(iv: Uint8Array, webhook_id: string) {
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
