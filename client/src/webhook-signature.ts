const encoder = new TextEncoder()

/** The secrets of a webhook. Variables of the environment may be unset, but not all. */
export type Secrets = string | undefined | readonly (string | undefined)[]

/** The texts of the secrets. Throws a TypeError if none is set, because then any request would be refused. */
export function secretsOf(secrets: Secrets): string[] {
  const given = [secrets].flat().filter((secret) => typeof secret === 'string' && secret !== '')
  if (given.length === 0)
    throw new TypeError('The secret of the webhook is missing: is its environment variable set?')
  return given as string[]
}

/** The HMAC-SHA256 of X-Service-Signature: the key is the text of the secret. */
export function serviceMac(secret: string, timestamp: string, body: Uint8Array): Promise<Uint8Array> {
  return hmac(encoder.encode(secret), `${timestamp}.`, body)
}

/** The HMAC-SHA256 of Standard Webhooks, or null if the secret is no base64. */
export async function standardMac(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<Uint8Array | null> {
  const key = decoded(secret.replace(/^whsec_/, ''))
  return key === null || key.length === 0 ? null : hmac(key, `${id}.${timestamp}.`, body)
}

/** The bytes of a text in base64, or null. */
export function bytesOfBase64(text: string): Uint8Array | null {
  return decoded(text)
}

/** Not exported: the types of the package must not name a generic Uint8Array, which TypeScript 5.6 lacks. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

async function hmac(key: Uint8Array, head: string, body: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign'])
  const start = encoder.encode(head)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed))
}
