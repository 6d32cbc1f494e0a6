import { sha256 } from '../../platform/kit/sha256.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^tcs_(?:live|test)_[0-9A-Za-z]{38}$/
const CRC_TABLE = crcTable()

/** A new key: prefix, 32 random base62 characters, and their CRC32 in 6 more. */
export function newApiKey(sandbox: boolean): string {
  const body = `${sandbox ? 'tcs_test_' : 'tcs_live_'}${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether a text has the form and checksum of a key. A mistyped key then costs no look-up. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** SHA-256 in hex. Only this hash and the first 12 characters of a key are stored. */
export async function hashOfKey(key: string): Promise<string> {
  return sha256(key)
}

/** The part of a key that may be shown: its first 12 characters. */
export function shownPrefix(key: string): string {
  return key.slice(0, 12)
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 × 62: larger bytes would make some characters more likely.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1)
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8)
  let value = (crc ^ 0xffffffff) >>> 0
  let encoded = ''
  for (let index = 0; index < 6; index += 1) {
    encoded = BASE62[value % 62] + encoded
    value = Math.floor(value / 62)
  }
  return encoded
}

function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let crc = index
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc >>> 0
  })
}
