/** When a customer's VAT id counts: if its format is valid, or only if the authority has confirmed it. */
export const VAT_ID_POLICIES = ['format', 'validated'] as const
export type VatIdPolicy = (typeof VAT_ID_POLICIES)[number]
