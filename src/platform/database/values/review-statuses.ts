/** What a review is about: a fact of a kind, or a whole document that could not be believed. */
export const REVIEW_KINDS = ['rates', 'thresholds', 'product_rules', 'document'] as const

/**
 * `waiting`: for a second witness. `open`: for a person. `accepted` and `refused`: a person decided.
 * `applied`: a second witness came. `gone`: the source says it no more.
 */
export const REVIEW_STATUSES = ['waiting', 'open', 'accepted', 'refused', 'applied', 'gone'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

/** The states of a review that is not decided. */
export const LIVE_STATUSES = ['waiting', 'open'] as const satisfies readonly ReviewStatus[]
