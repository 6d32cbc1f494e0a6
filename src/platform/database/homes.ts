/**
 * `open`: the account's books are in this database. `closing`: they are about to be copied to another one, so
 * only attempts at deliveries that have begun still write. `away`: they are elsewhere, or being copied.
 */
export const HOMES = ['open', 'closing', 'away'] as const
export type Home = (typeof HOMES)[number]
