/** More arguments than this are too many for one call. */
const CHUNK = 0x8000

/** Bytes in standard base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let from = 0; from < bytes.length; from += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK))
  return btoa(binary)
}

/** The bytes of a text in standard base64 or in base64url. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
}
