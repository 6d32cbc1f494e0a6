/** What a seller has in a state of the US. Each of them is physical presence. */
export const PRESENCE_KINDS = ['office', 'staff', 'stock'] as const
