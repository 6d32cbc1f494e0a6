/** `freezing`: its rows are being copied, and it does not count yet. `reopened`: it counts no more. */
export const RETURN_STATUSES = ['freezing', 'filed', 'reopened'] as const

/** How far the filing of a kept return with the tax office is. */
export const SUBMISSION_STATES = ['open', 'reviewed', 'filed', 'paid'] as const

/** What an obligation asks for: a return, or a recapitulative statement. */
export const OBLIGATION_DOCUMENTS = ['return', 'ec_sales_list'] as const

/** What a caller decided about an obligation. Only statements are filed by such a mark. */
export const OBLIGATION_MARKS = ['set_aside', 'filed'] as const

/** How far the lines of a filed return are on the way into the bucket. They leave the books once verified. */
export const SEALED_RETURN_STATES = ['written', 'verified', 'sealed'] as const
