/** What has become of a chest. Sales leave the books only once it is verified. */
export const CHEST_STATES = ['planned', 'written', 'verified', 'sealed'] as const
