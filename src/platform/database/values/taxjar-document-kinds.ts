/** What a document of TaxJar records. */
export const DOCUMENT_KINDS = ['order', 'refund'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
