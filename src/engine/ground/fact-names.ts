/** Facts that decide between two rules, and that no field of a request says. */
export const RULE_FACTS = ['product', 'use', 'sale', 'customer'] as const
export type RuleFact = (typeof RULE_FACTS)[number]

/** Facts that a request may leave open: fields of it, and what no field says. */
export const OPEN_FACTS = ['customer.type', 'product_type', 'quantity', ...RULE_FACTS] as const
export type OpenFactName = (typeof OPEN_FACTS)[number]
