import { toBase64 } from '../../platform/kit/base64.ts'
import { sha256 } from '../../platform/kit/sha256.ts'

const TOKEN = /^([0-9a-z]{26})-[\w-]{32}$/

/**
 * A new token of a link: the digits of the account's id, by which its books are found, and 192 random bits.
 * The id alone allows nothing.
 */
export function newToken(account_id: string): string {
  const digits = account_id.slice(account_id.indexOf('_') + 1)
  const random = toBase64(crypto.getRandomValues(new Uint8Array(24)))
  return `${digits}-${random.replaceAll('+', '-').replaceAll('/', '_')}`
}

/** What is stored of a token. */
export function hashOfToken(token: string): Promise<string> {
  return sha256(token)
}

/** The account that a token names, whether or not it is valid; null: it has not the form of a token. */
export function accountOfToken(token: string): string | null {
  const digits = TOKEN.exec(token)?.[1]
  return digits === undefined ? null : `acct_${digits}`
}
