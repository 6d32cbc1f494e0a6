import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from './openapi/document.ts'
import type { Document, Examples } from './openapi/types.ts'
import { PUBLIC_ROUTES, ROUTES } from '../src/interfaces/routes.ts'
import { taxjarDocument } from './openapi/taxjar-document.ts'
import { TAXJAR_ROUTES } from '../src/interfaces/taxjar/routes.ts'

// Not imported from wrangler.ts, which loads all of wrangler: this runs before each build.
const PROJECT = join(import.meta.dirname, '..')

/** The file of the served document, which the Worker need not contain or make. */
export const DOCUMENT_FILE = 'public/openapi.json'

/** The file of the document of the routes in the form of TaxJar. */
export const TAXJAR_DOCUMENT_FILE = 'public/taxjar/openapi.json'

/** The OpenAPI document of the current code. */
export function currentDocument(): Document {
  return openApiDocument(ROUTES, PUBLIC_ROUTES, readExamples())
}

/** The OpenAPI document of the routes in the form of TaxJar. */
export function currentTaxJarDocument(): TaxJarDocument {
  // The schemas of zod are plain JSON, but their type is not the one of OpenAPI.
  return JSON.parse(JSON.stringify(taxjarDocument(TAXJAR_ROUTES)))
}

type TaxJarDocument = {
  paths: Document['paths']
  components: Pick<Document['components'], 'schemas' | 'responses'>
}

/** The answers that the tests have recorded, by operation id. Each file has those of one tag. */
function readExamples(): Examples {
  const files = globSync('scripts/openapi/examples/*.json', { cwd: PROJECT })
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(join(PROJECT, file), 'utf8'))))
}
