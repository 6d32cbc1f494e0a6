/** What of a customer's VAT id is relied on: its format, or only what the authority has confirmed. */
export const VAT_ID_POLICIES = ['format', 'validated'] as const
export type VatIdPolicy = (typeof VAT_ID_POLICIES)[number]
