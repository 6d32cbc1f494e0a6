import { trimEnd } from '../../platform/kit/trim-end.ts'

/**
 * As people are found by it: A to Z in lower case, without spaces around it. All other letters stay, because
 * the lower case of some is ASCII: that of the Kelvin sign is `k`.
 */
export function canonicalEmail(text: string): string {
  const begun = text.replace(/^ +/, '')
  return trimEnd(begun, ' ').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/**
 * Whether a text may be an address: the identity provider decides whose it is. Blanks, control characters and
 * characters that nobody sees make none.
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text)
}
