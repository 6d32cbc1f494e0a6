import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openApiDocument } from '../src/openapi/document.ts'
import type { Document, Examples } from '../src/openapi/types.ts'
import { PUBLIC_ROUTES, ROUTES } from '../src/routes.ts'

// Not imported from wrangler.ts, which loads all of wrangler: this runs before each build.
const PROJECT = join(import.meta.dirname, '..')

/** The file of the served document. */
export const DOCUMENT_FILE = join(PROJECT, 'public/openapi.json')

/** The OpenAPI document of the current code. */
export function currentDocument(): Document {
  return openApiDocument(ROUTES, PUBLIC_ROUTES, readExamples())
}

/**
 * Writes the document to its file, so that the Worker need not contain or make it. Does not write an equal
 * file again, because `npm run dev` would see a change.
 */
export function writeDocument(): void {
  const text = JSON.stringify(currentDocument())
  if (!existsSync(DOCUMENT_FILE) || readFileSync(DOCUMENT_FILE, 'utf8') !== text)
    writeFileSync(DOCUMENT_FILE, text)
}

/** The answers that the tests have recorded, by operation id. */
function readExamples(): Examples {
  const files = globSync('src/openapi/examples/*.json', { cwd: PROJECT })
  return Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(PROJECT, file), 'utf8'))]),
  )
}
