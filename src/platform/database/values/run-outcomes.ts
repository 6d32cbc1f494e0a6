/** How a run of a collector ended. */
export const RUN_OUTCOMES = ['applied', 'confirmed', 'quarantined', 'failed'] as const

/** The kinds of official files with local taxes of a state. `watched`: a person keeps the list by hand. */
export const LOCAL_FILE_KINDS = ['rates', 'boundaries', 'list', 'watched'] as const
export type LocalFileKind = (typeof LOCAL_FILE_KINDS)[number]
