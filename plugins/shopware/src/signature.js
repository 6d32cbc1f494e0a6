const utf8 = new TextEncoder()

/** The HMAC-SHA256 of a text, in hex, as Shopware writes signatures. */
export async function sign(text, secret) {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), utf8.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether `signature` is that of the text. Web Crypto compares in constant time. */
export async function isSigned(text, signature, secret) {
  const pairs = /^(?:[0-9a-f]{2}){32}$/.test(signature ?? '') ? signature.match(/../g) : null
  if (pairs === null) return false
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', await keyOf(secret), bytes, utf8.encode(text))
}

/** A secret that nobody can guess. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function keyOf(secret) {
  return crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
}
