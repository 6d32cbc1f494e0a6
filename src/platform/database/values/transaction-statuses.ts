import { UNION_SCHEMES } from '../../../engine/ground/schemes.ts'

export const TRANSACTION_STATUSES = ['pending', 'completed', 'refunded', 'voided'] as const

/** Which sales the index on statuses has. A statement must say this too, or SQLite does not use the index. */
export const NOT_COMPLETED = `"status" <> 'completed'`

/** The statuses that callers see. `superseded`: a completed sale was replaced or deleted. */
export const SHOWN_STATUSES = [...TRANSACTION_STATUSES, 'superseded'] as const
export type ShownStatus = (typeof SHOWN_STATUSES)[number]

/** Who computed the tax of a transaction: this service, or the caller. */
export const TAX_SOURCES = ['calculated', 'given'] as const

/**
 * The one-stop shop through which the tax of a line is declared; '' is the seller's own registration.
 * `below_eu_threshold` is the seller's own registration, too, but the line counts towards the threshold of
 * 10,000 EUR for sales to consumers in other member states.
 */
export const LINE_SCHEMES = ['', ...UNION_SCHEMES, 'below_eu_threshold'] as const

/** Pieces of evidence of the customer's place (Implementing Regulation (EU) 282/2011, art. 24f). */
export const EVIDENCE_TYPES = ['billing_address', 'ip', 'bank', 'sim', 'landline', 'other'] as const

/** Whether the evidence is enough to tell the customer's place (art. 24b). */
export const EVIDENCE_STATUSES = ['missing', 'insufficient', 'conflicting', 'sufficient'] as const
