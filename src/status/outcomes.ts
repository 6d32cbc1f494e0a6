/** How a run of a collector ended. */
export const RUN_OUTCOMES = ['applied', 'confirmed', 'quarantined', 'failed'] as const
