import { typeidUnboxed } from 'typeid-js'

export type IdPrefix = 'acct' | 'key' | 'run' | 'reg' | 'req' | 'aud' | 'cust' | 'exm' | 'txn' | 'li' | 'wh' | 'evt' | 'dlv' | 'rfd' | 'vat'

/** A new TypeID: the prefix and a UUIDv7 in base32, so that ids sort by creation. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}
