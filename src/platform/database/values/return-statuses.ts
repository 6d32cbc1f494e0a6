/** `freezing`: its rows are being copied, and it does not count yet. `reopened`: it counts no more. */
export const RETURN_STATUSES = ['freezing', 'filed', 'reopened'] as const

/** How far the filing of a kept return with the tax office is. */
export const SUBMISSION_STATES = ['open', 'reviewed', 'filed', 'paid'] as const
