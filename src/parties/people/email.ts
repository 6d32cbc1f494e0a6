/** As people are found by it: in lower case, without spaces around it. */
export function canonicalEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** Whether a text may be an address: the identity provider decides whose it is. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
}
