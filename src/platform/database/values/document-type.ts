/** The most bytes of the file of a certificate. */
export const DOCUMENT_BYTES_MAX = 5_000_000

export const DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The ending of the name of each file. */
export const EXTENSIONS: Readonly<Record<DocumentType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}

/** The first bytes of each type. */
const BEGINNINGS: Readonly<Record<DocumentType, readonly number[]>> = {
  // %PDF-
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

/** The type of a file by its first bytes, whatever its name or its sender says; null: none of ours. */
export function documentType(bytes: Uint8Array): DocumentType | null {
  const begins = (type: DocumentType) => BEGINNINGS[type].every((byte, index) => bytes[index] === byte)
  return DOCUMENT_TYPES.find(begins) ?? null
}
