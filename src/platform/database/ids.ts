export type IdPrefix =
  | 'acct'
  | 'key'
  | 'run'
  | 'reg'
  | 'req'
  | 'aud'
  | 'cust'
  | 'exm'
  | 'doc'
  | 'txn'
  | 'li'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'rfd'
  | 'vat'
  | 'rev'
  | 'ret'
  | 'mov'
  | 'sal'
  | 'chk'
  | 'person'
  | 'creq'
  | 'msg'

const BYTES = 16
const POOL_BYTES = 256 * BYTES

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

// Every request needs an id, so these buffers are reused.
const random = new Uint8Array(BYTES)
const uuid = new Uint8Array(BYTES)
const NOTHING = new Uint8Array(BYTES)

const COUNT_MAX = 0x7fff_ffff
const SET_BACK_MS = 10_000

/** The moment of the last new id, and what counts the ids of a moment. The count begins at random. */
let last_msecs = 0
let count = 0

/**
 * A new TypeID: the prefix and a UUIDv7 in base32, so that ids sort by creation: ids of one millisecond are
 * counted, and a clock that goes back a little makes no smaller ids (RFC 9562, section 6.2, method 1).
 */
export function newId(prefix: IdPrefix): string {
  fillRandom()
  const msecs = Date.now()
  if (msecs > last_msecs || msecs < last_msecs - SET_BACK_MS) {
    last_msecs = msecs
    count = (byteAt(6) & 0x3f) * 0x100_0000 + byteAt(7) * 0x1_0000 + byteAt(8) * 0x100 + byteAt(9)
  } else if (count < COUNT_MAX) count += 1
  else {
    last_msecs += 1
    count = 0
  }
  return idOf(prefix, last_msecs, count, random)
}

/** The smallest id of a moment: ids from before it are smaller, ids from then on are not. */
export function firstIdAt(prefix: IdPrefix, moment: Date): string {
  return idOf(prefix, moment.getTime(), 0, NOTHING)
}

/**
 * An id that is the same each time: of a moment, a number, and 16 bytes that tell its owner. No caller can
 * choose an id, so a row with it was made by whoever knows the three.
 */
export function repeatableId(prefix: IdPrefix, msecs: number, seq: number, owner: Uint8Array): string {
  return idOf(prefix, msecs, seq, owner)
}

/** The moment in which an id was made, to the millisecond: its first 48 bits, after two that are 0. */
export function momentOf(id: string): Date {
  const first = id.slice(id.lastIndexOf('_') + 1).slice(0, 10)
  return new Date(Array.from(first).reduce((sum, digit) => sum * 32 + ALPHABET.indexOf(digit), 0))
}

function byteAt(index: number): number {
  return random[index] ?? 0
}

/** A UUIDv7 (RFC 9562, section 5.7): 48 bits of time, 31 that count within it, and 43 of `others`. */
function idOf(prefix: IdPrefix, msecs: number, seq: number, others: Uint8Array): string {
  for (let index = 0; index < 6; index += 1) uuid[index] = msecs / 2 ** (8 * (5 - index))
  uuid[6] = 0x70 | (seq >>> 27)
  uuid[7] = seq >>> 19
  uuid[8] = 0x80 | ((seq >>> 13) & 0x3f)
  uuid[9] = seq >>> 5
  uuid[10] = (seq << 3) | ((others[10] ?? 0) & 7)
  for (let index = 11; index < BYTES; index += 1) uuid[index] = others[index] ?? 0
  return `${prefix}_${base32(uuid)}`
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const DIGITS = Array.from(ALPHABET, (digit) => digit.charCodeAt(0))
const digits = Array.from({ length: 26 }, () => 0)

/**
 * The 128 bits of a UUID as 26 digits of five bits, after two bits that are 0 (TypeID, version 0.3). The
 * library `typeid-js` takes 3 µs of a request in workerd for it, and this 1.
 */
function base32(bytes: Uint8Array): string {
  let buffer = 0
  let bits = 2
  let next = 0
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      digits[next] = DIGITS[(buffer >>> bits) & 31] ?? 0
      next += 1
    }
  }
  return String.fromCharCode(...digits)
}

/** Random bytes are read for 256 ids at once: a read for each id costs more than the tax of a line. */
function fillRandom(): void {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  for (let index = 0; index < BYTES; index += 1) random[index] = pool[used + index] ?? 0
  used += BYTES
}
