import { fromUUIDBytes } from 'typeid-js'
import { v7 } from 'uuid'

export type IdPrefix = 'acct' | 'key' | 'run' | 'reg' | 'req' | 'aud' | 'cust' | 'exm' | 'txn' | 'li' | 'wh' | 'evt' | 'dlv' | 'rfd' | 'vat'

const BYTES = 16
const POOL_BYTES = 256 * BYTES

let pool = new Uint8Array(0)
let used = 0

/** A new TypeID: the prefix and a UUIDv7 in base32, so that ids sort by creation. */
export function newId(prefix: IdPrefix): string {
  return fromUUIDBytes(prefix, v7({ random: randomBytes() }, new Uint8Array(BYTES)))
}

/** Each request needs an id: to ask for its random bytes alone would cost more than the tax of a line. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
    used = 0
  }
  used += BYTES
  return pool.subarray(used - BYTES, used)
}
