import { openApiDocument } from '../../scripts/openapi/document.ts'
import type { Document, Examples } from '../../scripts/openapi/types.ts'
import { PUBLIC_ROUTES, ROUTES } from '../../src/routes.ts'

/** The answers that are written down, by the id of their operation. */
export const EXAMPLES: Examples = Object.fromEntries(
  Object.entries(
    import.meta.glob<unknown>('../../scripts/openapi/examples/*.json', { eager: true, import: 'default' }),
  ).map(([path, example]) => [path.replace(/^.*\/|\.json$/g, ''), example]),
)

/** The document as it is built and served. */
export const DOCUMENT: Document = openApiDocument(ROUTES, PUBLIC_ROUTES, EXAMPLES)
