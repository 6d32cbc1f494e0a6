/** Our types of exemptions in the words of TaxJar. */
export const THEIR_EXEMPTIONS = {
  resale: 'wholesale',
  government: 'government',
  nonprofit: 'other',
  other: 'other',
} as const

/** The types of TaxJar that exempt a buyer, and ours. */
export const OUR_EXEMPTIONS = { wholesale: 'resale', government: 'government', other: 'other' } as const

/** Whether a word of TaxJar exempts a buyer: `marketplace` and `non_exempt` do not. */
export function isExempting(type: string | null | undefined): type is keyof typeof OUR_EXEMPTIONS {
  return type !== null && type !== undefined && Object.hasOwn(OUR_EXEMPTIONS, type)
}
