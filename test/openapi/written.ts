import { openApiDocument } from '../../scripts/openapi/document.ts'
import type { Document, Examples } from '../../scripts/openapi/types.ts'
import { PUBLIC_ROUTES, ROUTES } from '../../src/interfaces/routes.ts'

const FILES = import.meta.glob<object>('../../scripts/openapi/examples/*.json', {
  eager: true,
  import: 'default',
})

/** The answers that are written down, by the id of their operation. */
const EXAMPLES: Examples = Object.assign({}, ...Object.values(FILES))

/** The document as it is built and served. */
export const DOCUMENT: Document = openApiDocument(ROUTES, PUBLIC_ROUTES, EXAMPLES)
