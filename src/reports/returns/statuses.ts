/** `freezing`: its rows are being copied, and it does not count yet. `reopened`: it counts no more. */
export const RETURN_STATUSES = ['freezing', 'filed', 'reopened'] as const
