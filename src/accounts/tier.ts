import { TIERS, type Tier } from './scopes.ts'

/** Whether a stored word is a tier. */
export function isTier(word: string): word is Tier {
  return TIERS.some((tier) => tier === word)
}
