/** In SQL, the number of the account ?1 in `chest_refs`. */
export const REFS_OF_ACCOUNT = '(SELECT number FROM sealed_accounts WHERE account_id = ?1)' as const

/** What a sale is found by. */
type SaleName = { id: string } | { external_id: string }

/**
 * A number of 53 bits for a sale of an account, as `chest_refs` has it. It is no proof: what it finds is
 * compared with the name itself, and of two sales with one number the second is not sealed.
 */
export function refHash(account_id: string, by: SaleName): number {
  const text = 'id' in by ? `${account_id} ${by.id}` : `${account_id}/${by.external_id}`
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = mixed(low, high)
  high = mixed(high, low)
  return 4294967296 * (2097151 & high) + (low >>> 0)
}

function mixed(one: number, other: number): number {
  const first = Math.imul(one ^ (one >>> 16), 2246822507)
  return first ^ Math.imul(other ^ (other >>> 13), 3266489909)
}
